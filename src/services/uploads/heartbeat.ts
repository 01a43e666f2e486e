import type { MultipartReader } from "../../media/multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";
import { Pace } from "./pace.ts";

/** Beats in one timeout of an intent: a beat may fail without the intent falling due. */
const BEATS_PER_TIMEOUT = 4;
/** Beats without a byte, though one was waited for, after which a client is given up. */
const SILENT_BEATS = 3;
const WATCH_EVERY_MS = 1000;
/** A slower client, in bytes within a time, is given up where others wait for what it holds. */
const LEAST_BYTES = 320 * 1024;
const WITHIN_MS = 10_000;

export interface Heartbeat {
  /** Whether the client was given up. */
  readonly stalled: boolean;
  stop(): void;
}

interface Watched {
  readonly openUploadIds: string[];
  readonly holdsUpOthers: boolean;
}

/**
 * Keeps the intents of a long upload from being replayed, and ends the upload of a client that sends no more, or so slowly
 * that others suffer. What the server itself needs time for is no fault of the client.
 */
export function startHeartbeat(account: AccountContext, reader: MultipartReader, request: Watched): Heartbeat {
  const beatMs = (account.config.intentTimeoutSeconds * 1000) / BEATS_PER_TIMEOUT;
  const pace = new Pace(reader, LEAST_BYTES, WITHIN_MS);
  const renewing = setInterval(() => {
    const ids = request.openUploadIds;
    if (ids.length > 0) account.waitUntil(account.meter.renew(ids).catch(logFailure));
  }, beatMs);
  const watching = setInterval(
    () => {
      const isSlow = pace.isSlow() && request.holdsUpOthers;
      if (!isSlow && reader.silentMs < SILENT_BEATS * beatMs) return;
      heartbeat.stalled = true;
      clearInterval(watching);
      account.waitUntil(reader.cancel());
    },
    Math.min(beatMs, WATCH_EVERY_MS),
  );
  const heartbeat = {
    stalled: false,
    stop: () => {
      clearInterval(renewing);
      clearInterval(watching);
    },
  };
  return heartbeat;
}

function logFailure(error: unknown): void {
  console.error("An upload's intents could not be renewed", error);
}
