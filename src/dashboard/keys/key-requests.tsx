import { useKeyAnalytics } from "../api/queries/keys.ts";
import { formatCount } from "../design/format.ts";
import { Skeleton } from "../design/skeleton.tsx";
import { sparkPoints } from "./analytics.ts";
import styles from "./api-keys.module.css";
import { useIsSeen } from "./use-is-seen.ts";

const WIDTH = 64;
const HEIGHT = 20;

interface KeyRequestsProps {
  readonly id: string;
  readonly wasUsed: boolean;
}

/** A key's requests of 30 days: their number, and a line of their days. Asked for when the row is seen. */
export function KeyRequests({ id, wasUsed }: KeyRequestsProps) {
  const [ref, isSeen] = useIsSeen<HTMLSpanElement>();
  const { data } = useKeyAnalytics(id, isSeen && wasUsed);
  const points = data === undefined ? "" : sparkPoints(data.days, WIDTH, HEIGHT - 2);
  return (
    <span ref={ref} className={styles.requests}>
      {!wasUsed && <span className={styles.never}>0</span>}
      {wasUsed && data === undefined && <Skeleton width={96} />}
      {data !== undefined && formatCount(data.total.requests)}
      {points !== "" && (
        <svg width={WIDTH} height={HEIGHT} viewBox={`0 -1 ${WIDTH} ${HEIGHT}`} aria-hidden>
          <polyline points={points} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
        </svg>
      )}
    </span>
  );
}
