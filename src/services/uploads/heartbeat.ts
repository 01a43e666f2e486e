import type { MultipartReader } from "../../media/multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";

/** Beats in one timeout of an intent: a beat may fail without the intent falling due. */
const BEATS_PER_TIMEOUT = 4;
/** Beats without a byte after which a client is given up. */
const SILENT_BEATS = 3;

export interface Heartbeat {
  /** Whether the client was given up. */
  readonly stalled: boolean;
  stop(): void;
}

/** Keeps the intents of a long upload from being replayed, and ends the upload of a client that sends no more. */
export function startHeartbeat(account: AccountContext, reader: MultipartReader, openIds: () => string[]): Heartbeat {
  const heartbeat = { stalled: false, stop: () => clearInterval(timer) };
  let receivedBytes = 0;
  let silentBeats = 0;
  const timer = setInterval(
    () => {
      silentBeats = reader.receivedBytes === receivedBytes ? silentBeats + 1 : 0;
      receivedBytes = reader.receivedBytes;
      if (silentBeats >= SILENT_BEATS) {
        heartbeat.stalled = true;
        account.waitUntil(reader.cancel());
        return;
      }
      const ids = openIds();
      if (ids.length > 0) account.waitUntil(account.meter.renew(ids).catch(logFailure));
    },
    (account.config.intentTimeoutSeconds * 1000) / BEATS_PER_TIMEOUT,
  );
  return heartbeat;
}

function logFailure(error: unknown): void {
  console.error("An upload's intents could not be renewed", error);
}
