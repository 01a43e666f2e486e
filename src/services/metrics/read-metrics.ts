import { readDatabaseBytes } from "../../db/database-bytes.ts";
import { listShards } from "../../db/directory/shards.ts";
import { type Labels, type MetricName, toSeries } from "../../domain/metrics.ts";
import { within } from "../../isolate/within.ts";
import type { Services } from "../context.ts";

/** Whoever scrapes waits ten seconds as a rule. */
const DEADLINE_MS = 5000;

type Gauges = (gauge: (name: MetricName, value: number, labels?: Labels) => void) => Promise<void>;

/**
 * Every series with its value. What does not answer in time has no series, and a `media_up` of 0. Of a histogram's buckets each has only
 * its own durations.
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

/** Of an empty queue there is no oldest message, or one of 1970. */
function toAgeSeconds(oldest: Date | undefined, now: number): number {
  const at = oldest?.getTime() ?? 0;
  return at === 0 ? 0 : Math.max(0, (now - at) / 1000);
}
