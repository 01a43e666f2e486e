import { useState } from "react";
import type { OperationDays } from "../../client/index.ts";
import { useOperationDays } from "../api/queries/operations.ts";
import { classNames } from "../design/class-names.ts";
import type { ChartSeries } from "../design/day-bars.ts";
import { DayChart } from "../design/day-chart.tsx";
import { formatCount, formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Segmented } from "../design/segmented.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import styles from "./days-table.module.css";
import { firstDay } from "./in-words.ts";

const SPANS = [
  { value: "month", title: "This month" },
  { value: "all", title: "90 days" },
] as const;
const VIEWS = [
  { value: "chart", title: "Chart" },
  { value: "table", title: "Table" },
] as const;
/** The chart draws views by their weight, a tenth (LIM-4), but shows their real number. */
const SERIES: readonly ChartSeries[] = [
  {
    title: "Uploads and deletions",
    tone: "accent",
    toWords: (value) => formatPlural(value, "upload or deletion", "uploads and deletions"),
  },
  { title: "Views (a tenth each)", tone: "soft", toWords: (value) => formatPlural(Math.round(value * 10), "view") },
];

interface DaysSectionProps {
  /** The time at which the month's operations reset. */
  readonly resetAt: string;
}

/** The operations of each day, as a chart or a table. */
export function DaysSection({ resetAt }: DaysSectionProps) {
  const [span, setSpan] = useState<"month" | "all">("month");
  const [view, setView] = useState<"chart" | "table">("chart");
  const { data, error, refetch } = useOperationDays(firstDay(span, resetAt, Date.now()));
  const days = data?.days.map(({ date, classA, classB }) => ({ date, values: [classA, classB] }));
  const isEmpty = days?.every(({ values }) => values.every((value) => value === 0));
  return (
    <Section
      title="By day"
      description={isEmpty ? "No operations in this period." : "Days are in UTC. Views appear after about a minute."}
      aside={
        <>
          <Segmented label="Days" options={SPANS} value={span} onChange={setSpan} />
          <Segmented label="View" options={VIEWS} value={view} onChange={setView} />
        </>
      }
    >
      {error !== null && data === undefined && (
        <Problem error={error} title="The operations could not be loaded" onRetry={() => void refetch()} />
      )}
      {days === undefined && error === null && <Skeleton height={196} />}
      {days !== undefined && view === "chart" && (
        <DayChart label="Operations" days={days} series={SERIES} formatValue={formatCompact} />
      )}
      {days !== undefined && view === "table" && <DaysTable days={data?.days ?? []} />}
    </Section>
  );
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

function formatCompact(value: number): string {
  return value < 1000 ? formatCount(value) : COMPACT.format(value);
}

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

interface DaysTableProps {
  readonly days: OperationDays["days"];
}

/** The chart's days as a table, newest first. */
function DaysTable({ days }: DaysTableProps) {
  return (
    <TableScroll label="Operations by day" className={styles.scroll}>
      <table className={classNames(table.table, styles.table)}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className={table.number}>
              Uploads and deletions
            </th>
            <th scope="col" className={table.number}>
              Views
            </th>
            <th scope="col" className={table.number}>
              Operations
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, classA, classB, operations }) => (
            <tr key={date}>
              <th scope="row">{DAY.format(Date.parse(date))}</th>
              <td className={table.number}>{formatCount(classA)}</td>
              <td className={table.number}>{formatCount(Math.round(classB * 10))}</td>
              <td className={table.number}>{formatCount(operations)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
