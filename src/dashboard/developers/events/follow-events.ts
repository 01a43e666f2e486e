import type { Event, EventPage } from "../../../client/types.ts";
import { MOST_EVENTS } from "./merge-events.ts";

/** A fifth of the rate of Free, at most. */
const POLL_MS = 5000;
const LONGEST_BACK_OFF_MS = 60_000;
/** A longer wait than a timer's limit would end at once. */
const LONGEST_WAIT_MS = 3_600_000;

/** The place in the stream from which a later call continues. */
export interface StreamPlace {
  cursor?: string | undefined;
}

interface FollowOptions {
  readonly page: (
    query: { readonly cursor?: string; readonly from?: "recent"; readonly limit: number },
    call: { readonly signal: AbortSignal },
  ) => Promise<EventPage>;
  readonly place: StreamPlace;
  readonly onEvents: (events: readonly Event[]) => void;
  readonly onError: (error: unknown) => void;
  /** Waits this long, or until the network is back. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Asks for events until the signal aborts. If more events wait than the page keeps, it continues with the newest events, so that a busy account
 * costs one request more, not thousands.
 */
export async function followEvents({ page, place, onEvents, onError, wait, signal }: FollowOptions): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const { cursor } = place;
      const start = cursor === undefined ? ({ from: "recent" } as const) : { cursor };
      const { events, pagination, resumeCursor } = await page({ ...start, limit: MOST_EVENTS }, { signal });
      if (signal.aborted) return;
      failures = 0;
      onEvents(events);
      const hasMore = pagination.nextCursor !== null;
      place.cursor = hasMore ? undefined : resumeCursor;
      if (!hasMore) await wait(POLL_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { statusCode, retryAfterSeconds = 0 } = error as { statusCode?: number; retryAfterSeconds?: number };
      // A cursor that is refused once would always be refused.
      if (statusCode === 400) place.cursor = undefined;
      failures += 1;
      onError(error);
      const backOffMs = Math.min(POLL_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS);
      await wait(Math.min(Math.max(backOffMs, retryAfterSeconds * 1000), LONGEST_WAIT_MS), signal);
    }
  }
}
