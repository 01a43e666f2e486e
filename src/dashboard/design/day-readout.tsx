import type { ChartDay } from "./day-bars.ts";
import styles from "./day-chart.module.css";
import type { ChartSeries } from "./day-chart.tsx";

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

interface DayReadoutProps {
  /** The day that is pointed at; without one, the legend stands there. */
  readonly day: ChartDay | undefined;
  readonly series: readonly ChartSeries[];
}

/** The legend of a chart, which has the values of the day that is pointed at. */
export function DayReadout({ day, series }: DayReadoutProps) {
  return (
    <figcaption className={styles.legend}>
      {day !== undefined && <strong>{DAY.format(Date.parse(day.date))}</strong>}
      {series.map(({ title, tone, toWords }, index) => (
        <span key={title} className={styles.key}>
          <i className={styles[`${tone}Key`]} />
          {day === undefined ? title : toWords(day.values[index] ?? 0)}
        </span>
      ))}
    </figcaption>
  );
}
