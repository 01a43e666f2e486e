import type { Overview } from "../../client/index.ts";
import { classNames } from "../design/class-names.ts";
import { formatCount, formatPlural } from "../design/format.ts";
import meter from "../design/meter.module.css";
import { Meter, meterTone } from "../design/meter.tsx";
import { Section } from "../design/section.tsx";
import styles from "./figure.module.css";
import { Figure } from "./figure.tsx";
import { percentInWords, resetInWords } from "./in-words.ts";

interface OperationsSectionProps {
  readonly overview: Overview;
}

/** A view has a weight of a tenth (LIM-4). */
const VIEWS_PER_OPERATION = 10;

/** The month's operations by kind, and the time of the reset. */
export function OperationsSection({ overview: { operations } }: OperationsSectionProps) {
  const { used, limit, classA, classB, resetAt } = operations;
  const valueText = `${formatCount(used)} of ${formatCount(limit)}`;
  return (
    <Section
      title="Operations this month"
      aside={<span className={styles.note}>{percentInWords(used, limit)} used</span>}
    >
      <Figure value={formatCount(used)} of={`of ${formatCount(limit)}`} />
      <Meter
        label="Operations this month"
        className={styles.bar}
        parts={[
          { title: "Uploads and deletions", value: classA },
          { title: "Views", value: classB },
        ]}
        max={limit}
        valueText={valueText}
      />
      <dl className={classNames(styles.legend, meter.shades)} data-tone={meterTone(used, limit)}>
        <div>
          <dt>
            <i data-shade={0} />
            Uploads and deletions
          </dt>
          <dd>{formatCount(classA)}</dd>
        </div>
        <div>
          <dt>
            <i data-shade={1} />
            Views (a tenth each)
          </dt>
          <dd>{formatPlural(Math.round(classB * VIEWS_PER_OPERATION), "view")}</dd>
        </div>
      </dl>
      <p className={styles.note}>
        Resets {resetInWords(resetAt, Date.now())}. When all are used, you cannot upload or delete files until then.
        Your files stay available, and there are no extra charges.
      </p>
    </Section>
  );
}
