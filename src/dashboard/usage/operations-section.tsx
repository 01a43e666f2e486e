import type { Overview } from "../../client/index.ts";
import { formatCount, formatPlural } from "../design/format.ts";
import { Meter } from "../design/meter.tsx";
import { Section } from "../design/section.tsx";
import styles from "./figure.module.css";
import { Figure } from "./figure.tsx";
import { percentInWords, resetInWords } from "./figures.ts";

interface OperationsSectionProps {
  readonly overview: Overview;
}

/** A view weighs a tenth (specification, Operations). */
const VIEWS_PER_OPERATION = 10;

/** The month's operations, of which kind they were, and when they start again. */
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
          { title: "Uploads and deletions", value: classA, tone: "ink" },
          { title: "Views", value: classB, tone: "accent" },
        ]}
        max={limit}
        valueText={valueText}
      />
      <dl className={styles.legend}>
        <div>
          <dt>
            <i className={styles.ink} />
            Uploads and deletions
          </dt>
          <dd>{formatCount(classA)}</dd>
        </div>
        <div>
          <dt>
            <i className={styles.accent} />
            Views, a tenth each
          </dt>
          <dd>{formatPlural(Math.round(classB * VIEWS_PER_OPERATION), "view")}</dd>
        </div>
      </dl>
      <p className={styles.note}>
        They start again {resetInWords(resetAt, Date.now())}. When all are used, uploads and deletions wait until then;
        your files are served on, and nothing is charged.
      </p>
    </Section>
  );
}
