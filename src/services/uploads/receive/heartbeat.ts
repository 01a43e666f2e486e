import { ERRORS, type ServiceError } from "../../../domain/errors.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import type { UploadRun } from "../upload-run.ts";
import { Pace } from "./pace.ts";
import { RETRY_AFTER_SECONDS } from "./upload-memory.ts";

/** Beats in one timeout of an intent: one beat may fail and the intent still does not fall due. */
const BEATS_PER_TIMEOUT = 4;
/** A client that sends nothing for this many beats while we wait for it is disconnected. */
const SILENT_BEATS = 3;
const WATCH_EVERY_MS = 1000;
/** A client that sends fewer bytes than this within the time is disconnected if others wait for the memory it holds. */
const LEAST_BYTES = 320 * 1024;
const WITHIN_MS = 10_000;

export interface Heartbeat {
  /** Why the client was disconnected; undefined if it was not. */
  readonly verdict: ServiceError | undefined;
  stop(): void;
}

/**
 * Keeps the intents of a long upload from being replayed. Disconnects a client that stopped sending (408), or that sends so
 * slowly that others go without memory (503). Time that the server itself needs is not counted against the client.
 */
export function startHeartbeat(run: UploadRun): Heartbeat {
  const { account, body } = run;
  const beatMs = (account.config.intentTimeoutSeconds * 1000) / BEATS_PER_TIMEOUT;
  const pace = new Pace(body, LEAST_BYTES, WITHIN_MS);
  const renewing = setInterval(() => {
    const ids = run.open.uploadIds;
    if (ids.length === 0 && account.claim === undefined) return;
    account.waitUntil(account.meter.renew(ids, undefined, account.claim).catch(logFailure));
  }, beatMs);
  const disconnect = (verdict: ServiceError) => {
    heartbeat.verdict = verdict;
    clearInterval(watching);
    account.waitUntil(body.cancel());
  };
  const watching = setInterval(
    () => {
      // Both are asked each time: the pace is measured from one call to the next.
      const isSlow = pace.isSlow();
      if (body.silentMs >= SILENT_BEATS * beatMs) disconnect(ERRORS.UploadStalled());
      else if (isSlow && run.memory.holdsUpOthers) disconnect(ERRORS.Unavailable(RETRY_AFTER_SECONDS));
    },
    Math.min(beatMs, WATCH_EVERY_MS),
  );
  const heartbeat: { verdict: ServiceError | undefined; stop(): void } = {
    verdict: undefined,
    stop: () => {
      clearInterval(renewing);
      clearInterval(watching);
    },
  };
  return heartbeat;
}

function logFailure(error: unknown): void {
  console.error(toLogLine("upload.not-renewed", {}, error));
}
