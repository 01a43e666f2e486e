import { type RefObject, useEffect, useRef, useState } from "react";
import { useKeyAnalytics } from "../../api/queries/keys.ts";
import { formatCount } from "../../design/format.ts";
import { Skeleton } from "../../design/skeleton.tsx";
import { sparkPoints } from "./analytics.ts";
import styles from "./api-keys.module.css";

const WIDTH = 64;
const HEIGHT = 20;

interface KeyRequestsProps {
  readonly id: string;
  readonly wasUsed: boolean;
}

/** A key's requests of the last 30 days: their number and a sparkline. They load when the row is in view. */
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

/** Whether an element has been in view. */
function useIsSeen<Seen extends HTMLElement>(): [RefObject<Seen | null>, boolean] {
  const ref = useRef<Seen>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const { current } = ref;
    if (isSeen || current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsSeen(true),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [ref, isSeen];
}
