import { Link } from "wouter";
import { useOverview } from "../api/queries/overview.ts";
import { tierName } from "../api/tier-words.ts";
import { useUsage } from "../api/usage-store.ts";
import { classNames } from "../design/class-names.ts";
import { formatBytes } from "../design/format.ts";
import meter from "../design/meter.module.css";
import { Meter, meterTone } from "../design/meter.tsx";
import { closeDrawer } from "./drawer-store.ts";
import styles from "./storage-meter.module.css";
import { toStorageParts } from "./storage-parts.ts";

/** The used storage, updated by every response of the service. */
export function StorageMeter() {
  const { data: overview, isError } = useOverview();
  const storage = useUsage()?.storage ?? overview?.storage;
  if (storage === undefined) return isError ? null : <div className={styles.card} aria-hidden />;
  const parts = toStorageParts(storage, overview);
  const [used, limit] = [formatBytes(storage.used), formatBytes(storage.limit)];
  const tier = overview && tierName(overview.tier);
  return (
    <Link href="/usage" className={styles.card} onClick={closeDrawer}>
      <span className={styles.figures}>
        <span>
          <span className="hidden-text">Storage: </span>
          <strong>{used}</strong> of {limit}
        </span>
        <span>{tier}</span>
      </span>
      {/* A screen reader would read the figures twice. */}
      <span aria-hidden>
        <Meter label="Storage" parts={parts} max={storage.limit} valueText={`${used} of ${limit}`} />
      </span>
      {parts.length > 1 && (
        <span
          className={classNames(styles.legend, meter.shades)}
          data-tone={meterTone(storage.used, storage.limit)}
          aria-hidden
        >
          {parts.map(({ title }, index) => (
            <span key={title}>
              <i data-shade={index} />
              {title}
            </span>
          ))}
        </span>
      )}
    </Link>
  );
}
