import { readSession, subscribeSession } from "./session-store.ts";

/** The client's timeout for a response. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * Waits until the user has logged in again, without a time limit.
 * @param signal cancels the wait when the caller aborts it; its timeout does not count, as it limits the service's response time
 * @returns the signal for sending the request again
 * @throws the signal's reason
 */
export function awaitSession(signal: AbortSignal | null | undefined): Promise<AbortSignal> {
  const taken = new AbortController();
  const note = () => {
    if (signal?.reason?.name !== "TimeoutError") taken.abort(signal?.reason);
  };
  if (signal?.aborted) note();
  else signal?.addEventListener("abort", note, { once: true });
  const again = () => AbortSignal.any([taken.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  return new Promise((resolve, reject) => {
    const stop = subscribeSession(() => readSession() === "open" && end(() => resolve(again())));
    const end = (settle: () => void) => {
      stop();
      settle();
    };
    const refuse = () => end(() => reject(taken.signal.reason));
    if (taken.signal.aborted) refuse();
    else if (readSession() === "open") end(() => resolve(again()));
    else taken.signal.addEventListener("abort", refuse, { once: true });
  });
}
