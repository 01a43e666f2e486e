import { useState } from "react";
import { useOperationDays } from "../api/queries/operations.ts";
import { type ChartSeries, DayChart } from "../design/day-chart.tsx";
import { formatCount, formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Segmented } from "../design/segmented.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { DaysTable } from "./days-table.tsx";
import { firstDay } from "./figures.ts";

const SPANS = [
  { value: "month", title: "This month" },
  { value: "all", title: "90 days" },
] as const;
const VIEWS = [
  { value: "chart", title: "Chart" },
  { value: "table", title: "Table" },
] as const;
/** Views are drawn by their weight, a tenth, and said as they were. */
const SERIES: readonly ChartSeries[] = [
  {
    title: "Uploads and deletions",
    tone: "ink",
    toWords: (value) => formatPlural(value, "upload or deletion", "uploads and deletions"),
  },
  { title: "Views, a tenth each", tone: "accent", toWords: (value) => formatPlural(Math.round(value * 10), "view") },
];

interface DaysSectionProps {
  /** When the month's operations start again. */
  readonly resetAt: string;
}

/** What was done on each day. */
export function DaysSection({ resetAt }: DaysSectionProps) {
  const [span, setSpan] = useState<"month" | "all">("month");
  const [view, setView] = useState<"chart" | "table">("chart");
  const { data, error, refetch } = useOperationDays(firstDay(span, resetAt, Date.now()));
  const days = data?.days.map(({ date, classA, classB }) => ({ date, values: [classA, classB] }));
  const isEmpty = days?.every(({ values }) => values.every((value) => value === 0));
  return (
    <Section
      title="By day"
      description={
        isEmpty ? "Nothing was counted in these days yet." : "Days are UTC's. Views show after about a minute."
      }
      aside={
        <>
          <Segmented label="Days" options={SPANS} value={span} onChange={setSpan} />
          <Segmented label="Shown as" options={VIEWS} value={view} onChange={setView} />
        </>
      }
    >
      {error !== null && data === undefined && (
        <Problem error={error} title="The days could not be loaded" onRetry={() => void refetch()} />
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
