import { DURATION_BUCKETS, METRICS, type MetricFamily, type MetricName } from "../../domain/metrics.ts";

/** `text`: Prometheus text 0.0.4. `openmetrics`: OpenMetrics 1.0, whose counters' families have names without `_total`. */
export type MetricsFormat = "text" | "openmetrics";

/** The series of families in the order of the catalogue. Each family has its HELP and TYPE, whether or not anything was counted of it. */
export function formatMetrics(series: ReadonlyMap<string, number>, format: MetricsFormat): string {
  const byName = Map.groupBy(series, ([name]) => /^[a-z_]+/.exec(name)?.[0] ?? "");
  const lines = (Object.entries(METRICS) as [MetricName, MetricFamily][]).flatMap(([name, { type, help }]) => {
    const family = format === "openmetrics" && type === "counter" ? name.replace(/_total$/, "") : name;
    const samples =
      type === "histogram"
        ? toHistogram(name, byName.get(`${name}_bucket`) ?? [], new Map(byName.get(`${name}_sum`)))
        : (byName.get(name) ?? []);
    return [`# HELP ${family} ${help}`, `# TYPE ${family} ${type}`, ...samples.map((sample) => sample.join(" "))];
  });
  if (format === "openmetrics") lines.push("# EOF");
  return `${lines.join("\n")}\n`;
}

type Sample = [series: string, value: number];

const BOUNDS = [...DURATION_BUCKETS.map(String), "+Inf"];

/** Buckets are counted apart; Prometheus wants each to have all that are below it, `+Inf` among them, and the count of them all. */
function toHistogram(name: string, buckets: readonly Sample[], sums: ReadonlyMap<string, number>): Sample[] {
  const byLabels = Map.groupBy(buckets, ([series]) =>
    series.slice(`${name}_bucket`.length).replace(/,le="[^"]*"}$/, ""),
  );
  return Array.from(byLabels).flatMap(([labels, counted]) => {
    const counts = new Map(counted);
    let total = 0;
    const cumulated = BOUNDS.map((bound): Sample => {
      const series = `${name}_bucket${labels},le="${bound}"}`;
      total += counts.get(series) ?? 0;
      return [series, total];
    });
    const sum = sums.get(`${name}_sum${labels}}`) ?? 0;
    return [...cumulated, [`${name}_sum${labels}}`, sum] as Sample, [`${name}_count${labels}}`, total] as Sample];
  });
}
