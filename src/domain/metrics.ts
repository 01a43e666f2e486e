/** The metrics of GET /metrics, in Prometheus' terms. */

export interface MetricFamily {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
}

const counter = (help: string) => ({ type: "counter", help }) as const;
const gauge = (help: string) => ({ type: "gauge", help }) as const;
const histogram = (help: string) => ({ type: "histogram", help }) as const;

/** Every metric family by name. Labels have only declared values: routes, statuses, fixed words. */
export const METRICS = {
  media_http_requests_total: counter("Requests to the API by method, route and status."),
  media_http_request_duration_seconds: histogram("Time until the API's answer, by method and route."),
  media_uploads_total: counter("Files that requests stored, by type (image, video)."),
  media_upload_bytes_total: counter("Bytes stored of these files, by type."),
  media_images_compressed_total: counter("Images stored compressed."),
  media_compression_saved_bytes_total: counter("Bytes saved by compression."),
  media_images_kept_total: counter("Images that stayed as uploaded although compression is on, by reason."),
  media_thumbnails_total: counter("Attempts at a video's thumbnail, by outcome."),
  media_counts_lost_total: counter("Batches of counts that were lost, by kind."),
  media_up: gauge("1 if a dependency answered this scrape in time, else 0."),
  media_queue_messages: gauge("Messages waiting in a queue."),
  media_queue_oldest_message_age_seconds: gauge("Age of the oldest message in a queue."),
  media_dead_letters: gauge("Messages listed at GET /admin/dead-letters, by state (retrying, given-up)."),
  media_intents_overdue: gauge("Changes whose replay failed, listed at GET /admin/intents."),
  media_intents_overdue_oldest_age_seconds: gauge("Time since the first failure of the oldest of these."),
  media_database_bytes: gauge("Size of a D1 database."),
  media_shards: gauge("Shards by state: open or closed for new accounts, unbound in this deployment."),
} satisfies Readonly<Record<string, MetricFamily>>;

export type MetricName = keyof typeof METRICS;
export type Labels = Readonly<Record<string, string | number>>;

/** Upper bounds of the duration buckets, in seconds. */
export const DURATION_BUCKETS = [0.025, 0.1, 0.25, 1, 2.5, 10] as const;
