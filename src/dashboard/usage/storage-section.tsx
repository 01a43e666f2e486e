import type { Overview } from "../../client/index.ts";
import { useUsage } from "../api/usage-store.ts";
import { formatBytes } from "../design/format.ts";
import { Meter } from "../design/meter.tsx";
import { Section } from "../design/section.tsx";
import { toStorageParts } from "../shell/storage-parts.ts";
import styles from "./figure.module.css";
import { Figure } from "./figure.tsx";
import { percentInWords } from "./figures.ts";

interface StorageSectionProps {
  readonly overview: Overview;
}

/** How much of the storage is used, and by what. */
export function StorageSection({ overview }: StorageSectionProps) {
  const figures = useUsage()?.storage ?? overview.storage;
  const { used, limit } = figures;
  const parts = toStorageParts(figures, overview);
  return (
    <Section title="Storage" aside={<span className={styles.note}>{percentInWords(used, limit)} used</span>}>
      <Figure value={formatBytes(used)} of={`of ${formatBytes(limit)}`} />
      <Meter
        label="Storage"
        className={styles.bar}
        parts={parts}
        max={limit}
        valueText={`${formatBytes(used)} of ${formatBytes(limit)}`}
      />
      <dl className={styles.legend}>
        {parts.map(({ title, value, tone = "ink" }) => (
          <div key={title}>
            <dt>
              <i className={styles[tone]} />
              {title}
            </dt>
            <dd>{formatBytes(value)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <i className={styles.left} />
            Left
          </dt>
          <dd>{formatBytes(Math.max(0, limit - used))}</dd>
        </div>
      </dl>
      <p className={styles.note}>
        Once it is full, uploads are refused. Nothing is deleted, and your files are served on. Files in the trash count
        until they are deleted for good.
      </p>
    </Section>
  );
}
