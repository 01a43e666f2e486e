import { Link } from "wouter";
import { useOverview } from "../api/queries/overview.ts";
import { useUsage } from "../api/usage-store.ts";
import { formatBytes } from "../design/format.ts";
import { Meter } from "../design/meter.tsx";
import { closeDrawer } from "./drawer-store.ts";
import styles from "./storage-meter.module.css";
import { toStorageParts } from "./storage-parts.ts";

const TIER_TITLES = { free: "Free", starter: "Starter", pro: "Pro", business: "Business" } as const;

/** Storage used and left; it follows every answer of the service. */
export function StorageMeter() {
  const overview = useOverview().data;
  const storage = useUsage()?.storage ?? overview?.storage;
  if (storage === undefined) return <div className={styles.card} aria-hidden />;
  const parts = toStorageParts(storage, overview);
  const [used, limit] = [formatBytes(storage.used), formatBytes(storage.limit)];
  const tier = overview && TIER_TITLES[overview.tier];
  return (
    <Link href="/usage" className={styles.card} onClick={closeDrawer}>
      <span className={styles.figures}>
        <span>
          <strong>{used}</strong> of {limit}
        </span>
        <span>{tier}</span>
      </span>
      <Meter label="Storage" parts={parts} max={storage.limit} valueText={`${used} of ${limit}`} />
      {parts.length > 1 && (
        <span className={styles.legend} aria-hidden>
          {parts.map(({ title, tone }) => (
            <span key={title} data-tone={tone}>
              {title}
            </span>
          ))}
        </span>
      )}
    </Link>
  );
}
