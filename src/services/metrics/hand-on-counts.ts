import { toLogLine } from "../../domain/log-line.ts";
import { within } from "../../isolate/within.ts";
import type { KeyRequests } from "../../meter/key-requests.ts";
import type { Services } from "../context.ts";
import { count, takeCounts } from "./counts.ts";
import { isFull, takeKeyCounts } from "./key-counts.ts";

type Context = Pick<Services, "meterOf" | "serviceMeter" | "config" | "now" | "waitUntil">;

/** The platform ends what outlasts an answer by 30 seconds: waiting leaves some of them for the calls. */
const MAX_WAIT_SECONDS = 25;
/** Whoever is this late was ended before: another request takes its place. */
const GRACE_MS = 5000;
/** Accounts that are called at once. */
const CALLS_AT_ONCE = 20;
/** Where accounts answer so slowly that so many batches are on their way, what is more is lost. */
const MAX_ON_THEIR_WAY = 4;

/** Until when some request of this isolate waits before it hands on what all of them count. */
let waitingUntil = 0;
/** When they set out. One whose request was ended before is forgotten after a while, as nobody says that it has arrived. */
const onTheirWay = new Map<string, number>();
const FORGOTTEN_MS = 60_000;
/** A call that is not answered by then is lost. */
const DEADLINE_MS = 5000;

/**
 * Has what this isolate counts handed on: the first request after the last time does it, some seconds after its own answer, for all that
 * come meanwhile. One call to the service's meter, and one to each account whose keys made requests.
 */
export function scheduleCounts(context: Context): void {
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
 * Hands on what was counted, at once. A call that was lost is made again, and counts once; what cannot be handed on in a second or two
 * is lost, and that is counted.
 */
export async function handOnCounts({
  meterOf,
  serviceMeter,
}: Pick<Context, "meterOf" | "serviceMeter">): Promise<void> {
  const counts = takeCounts();
  const accounts = takeKeyCounts();
  if (counts.size === 0 && accounts.size === 0) return;
  for (const [id, sinceAt] of onTheirWay) if (sinceAt < Date.now() - FORGOTTEN_MS) onTheirWay.delete(id);
  if (onTheirWay.size >= MAX_ON_THEIR_WAY) return lose("all", new Error("Too many batches are on their way"));
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
