import { useEffect, useState } from "react";
import { useWaitsUntil } from "../api/usage-store.ts";

/** How many seconds requests still wait for the rate; 0: none does. */
export function useWaitSeconds(): number {
  const until = useWaitsUntil();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const count = () => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setSeconds(left);
      if (left === 0) clearInterval(timer);
    };
    const timer = setInterval(count, 1000);
    count();
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
