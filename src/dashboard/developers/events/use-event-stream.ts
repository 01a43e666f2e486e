import { useEffect, useReducer, useRef, useSyncExternalStore } from "react";
import { Connection } from "../../../client/connection.ts";
import { createEvents } from "../../../client/events.ts";
import type { Event } from "../../../client/types.ts";
import { pacedFetch } from "../../api/paced-fetch.ts";
import { followEvents, type StreamPlace } from "./follow-events.ts";
import { mergeEvents } from "./merge-events.ts";

/** Calls for the account's events, without retries: the stream asks again anyway. The first call has the service record events. */
const eventCalls = createEvents({
  connection: new Connection({ baseUrl: location.origin, fetch: pacedFetch, retries: 0 }),
});

interface Stream {
  /** Newest first; undefined before the first answer. */
  readonly events: readonly Event[] | undefined;
  /** Why the last request failed; null if it succeeded. */
  readonly error: unknown;
}

type Change = { readonly arrived: readonly Event[] } | { readonly error: unknown } | "clear";

function reduce(stream: Stream, change: Change): Stream {
  if (change === "clear") return { ...stream, events: [] };
  if ("error" in change) return { ...stream, error: change.error };
  return { events: mergeEvents(stream.events ?? [], change.arrived), error: null };
}

/** The account's events as they happen. A hidden tab sends no requests. @param isPaused whether the user has paused the stream */
export function useEventStream(isPaused: boolean) {
  const [stream, change] = useReducer(reduce, { events: undefined, error: null });
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  const place = useRef<StreamPlace>({});
  const isVisible = useSyncExternalStore(watchVisibility, () => document.visibilityState === "visible");
  const isRunning = isVisible && !isPaused;
  useEffect(() => {
    if (!isRunning) return;
    const stopping = new AbortController();
    void followEvents({
      page: eventCalls.page,
      place: place.current,
      onEvents: (arrived) => change({ arrived }),
      onError: (error) => change({ error }),
      wait: waitForNetwork,
      signal: stopping.signal,
    });
    return () => stopping.abort();
  }, [isRunning, attempt]);
  return { ...stream, clear: () => change("clear"), retry };
}

function watchVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** Resolves after a time, when the signal aborts, or when the network is back. */
function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end, { signal: done.signal });
    signal.addEventListener("abort", end, { signal: done.signal });
  });
}
