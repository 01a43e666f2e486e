import { useEffect, useState } from "react";

/** Browsers run a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Whether a time has passed, by this device's clock. It changes while the page is open. @param end milliseconds since 1970 */
export function useHasPassed(end: number): boolean {
  const [hasPassed, setPassed] = useState(end <= Date.now());
  useEffect(() => {
    const left = end - Date.now();
    setPassed(left <= 0);
    if (left <= 0 || left > LONGEST_TIMER_MS) return;
    const timer = setTimeout(() => setPassed(true), left);
    return () => clearTimeout(timer);
  }, [end]);
  return hasPassed;
}
