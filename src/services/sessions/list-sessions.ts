import type { StoredSession } from "../../meter/books/session-store.ts";
import type { AccountContext } from "../context.ts";

/** The account's sessions that have not ended, newest first. */
export function listSessions({ meter }: AccountContext): Promise<StoredSession[]> {
  return meter.listSessions();
}
