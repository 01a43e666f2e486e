import { useEffect, useState } from "react";

const SETTLED_MS = 400;

/** The value after it has not changed for 400 ms. Pass a value that stays identical while it is equal. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
