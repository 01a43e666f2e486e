import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import styles from "./api-keys.module.css";
import { useHasPassed } from "./use-has-passed.ts";

/** The time at which a key expires, or the fact that it has expired. @param at null if it does not expire */
export function KeyEnd({ at }: { readonly at: string | null }) {
  const hasPassed = useHasPassed(at === null ? Number.POSITIVE_INFINITY : Date.parse(at));
  if (at === null) return <span className={styles.never}>Never</span>;
  return (
    <span title={formatDate(at, "time")}>
      {hasPassed ? <span className={styles.expired}>Expired</span> : formatRelative(at)}
      <span className={styles.date}>{formatDate(at, "short")}</span>
    </span>
  );
}
