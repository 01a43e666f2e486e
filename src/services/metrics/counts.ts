import { dayOf } from "../../domain/calendar.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { DURATION_BUCKETS, type Labels, type MetricName } from "../../domain/metrics.ts";
import { within } from "../../isolate/calls.ts";
import type { KeyRequests } from "../../meter/books/key-requests.ts";
import type { AccountContext, Services } from "../context.ts";

/** The service's metrics have a few hundred series; further ones are not counted. */
const MAX_SERIES = 1000;

/** The counts of this isolate since its last flush. An isolate that ends loses the counts of at most METRICS_FLUSH_SECONDS. */
let counts = new Map<string, number>();

/** Counts for GET /metrics, without waiting. @param suffix a histogram's `_bucket` or `_sum` */
export function count(name: MetricName, labels: Labels = {}, amount = 1, suffix = ""): void {
  const series = toSeries(name, labels, suffix);
  const counted = counts.get(series);
  if (counted === undefined && counts.size >= MAX_SERIES) return;
  counts.set(series, (counted ?? 0) + amount);
}

/**
 * A series in Prometheus' notation: `name{label="value"}`.
 * @param suffix a histogram's `_bucket` or `_sum`
 */
export function toSeries(name: MetricName, labels: Labels = {}, suffix = ""): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(String(value))}"`);
  return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`}`;
}

/** Prometheus exposition format 0.0.4, "Comments, help text, and type information". */
function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}

/** Returns and clears the counts by series. The caller must flush them. */
function takeCounts(): Map<string, number> {
  const taken = counts;
  counts = new Map();
  return taken;
}

/** The most entries in one isolate: some megabytes. */
const MAX_ENTRIES = 5000;

/** Counts of keys' requests since the last flush, by account, then by key, day and endpoint. */
let accounts = new Map<string, Map<string, KeyRequests>>();
let entries = 0;

function countKeyRequest(accountId: string, { keyId, day, endpoint, ...added }: KeyRequests): void {
  const account = accounts.get(accountId) ?? new Map<string, KeyRequests>();
  accounts.set(accountId, account);
  const name = `${keyId} ${day} ${endpoint}`;
  const counted = account.get(name);
  if (counted === undefined) entries += 1;
  account.set(name, {
    keyId,
    day,
    endpoint,
    requests: (counted?.requests ?? 0) + added.requests,
    operations: (counted?.operations ?? 0) + added.operations,
    errors: (counted?.errors ?? 0) + added.errors,
  });
}

/** Whether the counts must be flushed at once. */
function isFull(): boolean {
  return entries >= MAX_ENTRIES;
}

/** Returns and clears the counts by account. The caller must flush them. */
function takeKeyCounts(): Map<string, KeyRequests[]> {
  const taken = new Map(Array.from(accounts, ([accountId, account]) => [accountId, [...account.values()]]));
  accounts = new Map();
  entries = 0;
  return taken;
}

type Context = Pick<Services, "meterOf" | "serviceMeter" | "config" | "now" | "waitUntil">;

/** The longest wait. The platform ends work 30 seconds after an answer, and the rest of that time is for the calls. */
const MAX_WAIT_SECONDS = 25;
/** A waiting request that is this late was ended. Another request takes its place. */
const GRACE_MS = 5000;
/** Accounts that are called concurrently. */
const CALLS_AT_ONCE = 20;
/** The most batches in progress. If accounts answer more slowly, further counts are lost. */
const MAX_ON_THEIR_WAY = 4;

/** End of the current wait, after which one request flushes the counts of all. */
let waitingUntil = 0;
/**
 * Start times of batches in progress. A batch whose request was ended is forgotten after a while, because it never
 * reports back.
 */
const onTheirWay = new Map<string, number>();
const FORGOTTEN_MS = 60_000;
/** A call that has no answer by then is lost. */
const DEADLINE_MS = 5000;

/**
 * Schedules a flush of this isolate's counts: the first request after the last flush waits some seconds after its own
 * answer, then flushes the counts of all requests. One call goes to the service's meter, and one to each account whose
 * keys made requests.
 */
function scheduleCounts(context: Context): void {
  const waitMs = Math.min(MAX_WAIT_SECONDS, context.config.metricsFlushSeconds) * 1000;
  const now = context.now();
  if (isFull()) context.waitUntil(handOnCounts(context));
  if (now < waitingUntil + GRACE_MS) return;
  waitingUntil = now + waitMs;
  context.waitUntil(handOnLater(context, waitMs));
}

async function handOnLater(context: Context, waitMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  waitingUntil = Number.NEGATIVE_INFINITY;
  await handOnCounts(context);
}

/**
 * Flushes the counts at once. A lost call is repeated, and counts once. Counts that cannot be flushed within seconds
 * are lost, and the loss is counted.
 */
export async function handOnCounts({
  meterOf,
  serviceMeter,
}: Pick<Context, "meterOf" | "serviceMeter">): Promise<void> {
  const counts = takeCounts();
  const accounts = takeKeyCounts();
  if (counts.size === 0 && accounts.size === 0) return;
  for (const [id, sinceAt] of onTheirWay) if (sinceAt < Date.now() - FORGOTTEN_MS) onTheirWay.delete(id);
  if (onTheirWay.size >= MAX_ON_THEIR_WAY) return lose("all", new Error("Too many batches are in progress"));
  const batchId = crypto.randomUUID();
  onTheirWay.set(batchId, Date.now());
  try {
    const service = counts.size === 0 ? undefined : within(DEADLINE_MS, serviceMeter().addCounts(batchId, counts));
    await Promise.all([
      service?.catch((error: unknown) => lose("service", error)),
      sendToAccounts(accounts, (accountId, requests) =>
        within(DEADLINE_MS, meterOf(accountId).recordKeyRequests(batchId, requests)),
      ),
    ]);
  } finally {
    onTheirWay.delete(batchId);
  }
}

async function sendToAccounts(
  accounts: ReadonlyMap<string, KeyRequests[]>,
  send: (accountId: string, requests: KeyRequests[]) => Promise<unknown>,
): Promise<void> {
  const left = accounts.entries();
  const work = async () => {
    for (const [accountId, requests] of left) {
      await send(accountId, requests).catch((error: unknown) => lose("account", error));
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
}

function lose(of: "all" | "service" | "account", error: unknown): void {
  console.error(toLogLine("counts.lost", { of }, error));
  count("media_counts_lost_total", { of });
}

interface AnsweredRequest {
  readonly method: string;
  /** The declared route (`/images/{id}`), never the request's path. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly account: AccountContext | undefined;
}

/** Counts a request for GET /metrics, and for the analytics of its API key. */
export function recordRequest(services: Services, request: AnsweredRequest): void {
  if (services.config.metricsFlushSeconds <= 0) return;
  const { method, route, status, milliseconds, account } = request;
  const seconds = milliseconds / 1000;
  count("media_http_requests_total", { method, route, status });
  count("media_http_request_duration_seconds", { method, route, le: durationBucket(seconds) }, 1, "_bucket");
  count("media_http_request_duration_seconds", { method, route }, seconds, "_sum");
  // Upload keys have no analytics (AUTH-9).
  if (account?.principal.kind === "api-key") {
    countKeyRequest(account.accountId, {
      keyId: account.principal.keyId,
      day: dayOf(services.now()),
      endpoint: `${method} ${route}`,
      requests: 1,
      operations: account.operations,
      errors: status >= 400 ? 1 : 0,
    });
  }
  scheduleCounts(services);
}

/** The bucket of a duration, as its label `le`. Buckets are counted separately and summed when they are shown. */
function durationBucket(seconds: number): string {
  return String(DURATION_BUCKETS.find((bound) => seconds <= bound) ?? "+Inf");
}

/**
 * `none`: the file has no picture. `gone`: the video was deleted. `failed` and `timed-out` attempts are retried;
 * `given-up`: it timed out again hours after the upload.
 */
type ThumbnailOutcome =
  | "made"
  | "impossible"
  | "none"
  | "gone"
  | "storage-full"
  | "no-processor"
  | "failed"
  | "timed-out"
  | "given-up";

/** Counts an attempt at a video's thumbnail. */
export function countThumbnail(outcome: ThumbnailOutcome): void {
  count("media_thumbnails_total", { outcome });
}
