import type { Overview } from "../../client/index.ts";
import { useUsage } from "../api/usage-store.ts";
import { classNames } from "../design/class-names.ts";
import { formatBytes, formatPlural } from "../design/format.ts";
import meter from "../design/meter.module.css";
import { Meter, meterTone } from "../design/meter.tsx";
import { Section } from "../design/section.tsx";
import { toStorageParts } from "../shell/storage-parts.ts";
import styles from "./figure.module.css";
import { Figure } from "./figure.tsx";
import { percentInWords } from "./in-words.ts";

interface StorageSectionProps {
  readonly overview: Overview;
}

/** The used storage by kind of file, and the free storage. */
export function StorageSection({ overview }: StorageSectionProps) {
  const figures = useUsage()?.storage ?? overview.storage;
  const { used, limit } = figures;
  const parts = toStorageParts(figures, overview);
  const { variants } = overview;
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
      <dl className={classNames(styles.legend, meter.shades)} data-tone={meterTone(used, limit)}>
        {parts.map(({ title, value }, index) => (
          <div key={title}>
            <dt>
              <i data-shade={index} />
              {title}
            </dt>
            <dd>{formatBytes(value)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <i className={styles.left} />
            Available
          </dt>
          <dd>{formatBytes(Math.max(0, limit - used))}</dd>
        </div>
      </dl>
      <p className={styles.note}>
        When it is full, you cannot upload. Nothing is deleted, and your files stay available. Files in the trash count
        until they are deleted permanently.
      </p>
      {variants && (
        <p className={styles.note}>
          {`${formatPlural(variants.count, "variant")} of your files (other sizes and formats), ${formatBytes(variants.bytes)}. Variants do not count as storage.`}
        </p>
      )}
    </Section>
  );
}
