import type { KeyAnalytics } from "../../../client/index.ts";
import type { ChartSeries } from "../../design/day-bars.ts";
import { DayChart } from "../../design/day-chart.tsx";
import { formatCount, formatPlural } from "../../design/format.ts";
import { Section } from "../../design/section.tsx";
import { toChartDays } from "./analytics.ts";

const SERIES: readonly ChartSeries[] = [
  { title: "Successful", tone: "accent", toWords: (value) => `${formatCount(value)} successful` },
  { title: "Errors", tone: "danger", toWords: (value) => formatPlural(value, "error") },
];

interface KeyDaysProps {
  readonly days: KeyAnalytics["days"];
}

export function KeyDays({ days }: KeyDaysProps) {
  return (
    <Section title="Requests by day" description="The last 30 days, in UTC. Requests appear after about half a minute.">
      <DayChart label="Requests" days={toChartDays(days)} series={SERIES} formatValue={formatCount} />
    </Section>
  );
}
