import { type Labels, type MetricName, toSeries } from "../../domain/metrics.ts";
import { Tally } from "../../isolate/tally.ts";

/** What the service counts has a few hundred series. */
const MAX_SERIES = 1000;

/**
 * What this isolate has counted since it last handed it on. It is lost with the isolate: as much as was counted in
 * METRICS_FLUSH_SECONDS at most.
 */
const counts = new Tally(MAX_SERIES);

/** Counts for GET /metrics. Nothing waits for it. @param suffix of a histogram's parts */
export function count(name: MetricName, labels: Labels = {}, amount = 1, suffix = ""): void {
  counts.add(toSeries(name, labels, suffix), amount);
}

/** What was counted, by series; from here on it is the caller's to hand on. */
export function takeCounts(): Map<string, number> {
  return counts.take();
}
