import type { TierName } from "../../domain/tiers.ts";
import { tierName } from "../api/tier-words.ts";
import { useUsage } from "../api/usage-store.ts";
import { formatCount } from "../design/format.ts";
import { Meter } from "../design/meter.tsx";
import { Section } from "../design/section.tsx";
import styles from "./figure.module.css";
import { Figure } from "./figure.tsx";

interface RateSectionProps {
  readonly perMinute: number;
  readonly tier: TierName;
}

/** The tier's requests a minute and the number used, by the latest response. */
export function RateSection({ perMinute, tier }: RateSectionProps) {
  const rate = useUsage()?.rate;
  const used = rate === undefined ? 0 : Math.max(0, rate.limit - rate.remaining);
  return (
    <Section title="Requests" aside={<span className={styles.note}>{tierName(tier)}</span>}>
      <Figure value={formatCount(perMinute)} of="a minute" />
      <Meter
        label="Requests in this minute"
        className={styles.bar}
        parts={[{ title: "Used", value: used }]}
        max={perMinute}
        valueText={`${formatCount(used)} of ${formatCount(perMinute)}`}
      />
      <p className={styles.note}>
        {formatCount(used)} used in this minute by this page, other tabs and keys together. Over the limit, requests get
        429 until the next minute. Views of files are not limited.
      </p>
    </Section>
  );
}
