import { readDatabaseBytes } from "../../db/database-bytes.ts";
import { listShards } from "../../db/directory/shards.ts";
import { DURATION_BUCKETS, type Labels, METRICS, type MetricFamily, type MetricName } from "../../domain/metrics.ts";
import { within } from "../../isolate/calls.ts";
import type { Services } from "../context.ts";
import { toSeries } from "./counts.ts";

/** The time for all reads. Prometheus waits ten seconds by default. */
const DEADLINE_MS = 5000;

type Gauges = (gauge: (name: MetricName, value: number, labels?: Labels) => void) => Promise<void>;

/**
 * Every series with its value. A dependency that does not answer in time has no series, and a `media_up` of 0. A
 * histogram's bucket counts only its own durations.
 */
export async function readMetrics(services: Services): Promise<Map<string, number>> {
  const series = new Map<string, number>();
  const gauge = (name: MetricName, value: number, labels: Labels = {}) => series.set(toSeries(name, labels), value);
  const read = async (dependency: string, gauges: Gauges) => {
    const isUp = await within(DEADLINE_MS, gauges(gauge)).then(
      () => true,
      () => false,
    );
    gauge("media_up", isUp ? 1 : 0, { dependency });
  };
  await Promise.all([
    read("service-meter", async (gauge) => {
      const { counts, deadLetters, overdueIntents } = await services.serviceMeter().read();
      for (const [name, value] of counts) series.set(name, value);
      gauge("media_dead_letters", deadLetters.retrying, { state: "retrying" });
      gauge("media_dead_letters", deadLetters.givenUp, { state: "given-up" });
      gauge("media_intents_overdue", overdueIntents.count);
      const { oldestAt } = overdueIntents;
      const oldestAge = oldestAt === null ? 0 : Math.max(0, (services.now() - oldestAt) / 1000);
      gauge("media_intents_overdue_oldest_age_seconds", oldestAge);
    }),
    read("directory", async (gauge) => {
      const [bytes, known] = await Promise.all([readDatabaseBytes(services.directory), listShards(services.directory)]);
      gauge("media_database_bytes", bytes, { database: "directory" });
      const isBound = ({ shard }: (typeof known)[number]) => services.libraries.shards.includes(shard);
      gauge("media_shards", known.filter((entry) => isBound(entry) && entry.isOpen).length, { state: "open" });
      gauge("media_shards", known.filter((entry) => isBound(entry) && !entry.isOpen).length, { state: "closed" });
      gauge("media_shards", known.filter((entry) => !isBound(entry)).length, { state: "unbound" });
    }),
    ...services.libraries.shards.map((shard) =>
      read(`library-${shard}`, async (gauge) => {
        const bytes = await readDatabaseBytes(services.libraries.open(shard));
        gauge("media_database_bytes", bytes, { database: `library-${shard}` });
      }),
    ),
    ...Object.entries(services.queues).map(([queue, binding]) =>
      read(`queue-${queue}`, async (gauge) => {
        const { backlogCount, oldestMessageTimestamp } = await binding.metrics();
        gauge("media_queue_messages", backlogCount, { queue });
        gauge("media_queue_oldest_message_age_seconds", toAgeSeconds(oldestMessageTimestamp, services.now()), {
          queue,
        });
      }),
    ),
  ]);
  return series;
}

/** An empty queue has no oldest message, or reports one of 1970. */
function toAgeSeconds(oldest: Date | undefined, now: number): number {
  const at = oldest?.getTime() ?? 0;
  return at === 0 ? 0 : Math.max(0, (now - at) / 1000);
}

/**
 * `text`: Prometheus text 0.0.4. `openmetrics`: OpenMetrics 1.0, whose counter families have names without `_total`.
 */
type MetricsFormat = "text" | "openmetrics";

/** The series by family, in the order of `METRICS`. Each family has its HELP and TYPE even without counts. */
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

/** Each bucket is counted separately; Prometheus wants cumulative buckets up to `+Inf`, and the total count. */
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
