import { useEffect, useState } from "react";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import styles from "./api-keys.module.css";

/** The time at which a key expires, or the fact that it has expired. @param at null if it does not expire */
export function KeyEnd({ at }: { readonly at: string | null }) {
  const hasPassed = useHasPassed(at);
  if (at === null) return <span className={styles.never}>Never</span>;
  return (
    <span title={formatDate(at, "time")}>
      {hasPassed ? <span className={styles.expired}>Expired</span> : formatRelative(at)}
      <span className={styles.date}>{formatDate(at, "short")}</span>
    </span>
  );
}

/** Browsers run a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Whether a time has passed, by this device's clock. It changes while the page is open. */
function useHasPassed(at: string | null): boolean {
  const end = at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
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
