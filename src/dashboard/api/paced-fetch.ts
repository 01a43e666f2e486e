import { noteAnswer } from "./note-answer.ts";
import { waitBeforeMs } from "./pacing.ts";
import { countOpenings } from "./session-store.ts";
import { sleep } from "./sleep.ts";
import { readUsage, recordWait } from "./usage-store.ts";

/**
 * `fetch` for the client. It keeps reads within the account's rate and records the figures of each response. It sends a request again after
 * a new log-in if the session is over, also if the 401 comes after the log-in, and after a proof if a change needs one.
 * @throws the signal's reason; TypeError if no response came
 */
export async function pacedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const waitMs = waitBeforeMs(readUsage()?.rate, {
    isRead: (init?.method ?? "GET") === "GET",
    isAskedFor: navigator.userActivation?.isActive ?? true,
    now: Date.now(),
  });
  if (waitMs > 0) {
    recordWait(Date.now() + waitMs);
    await sleep(waitMs, init?.signal ?? undefined);
  }
  const openings = countOpenings();
  const answer = await fetch(input, { ...init, credentials: "same-origin" });
  if (answer.status === 401 && countOpenings() !== openings) return pacedFetch(input, init);
  const isOver = noteAnswer(answer, String(input));
  if (answer.status === 403) {
    const { proveAgain } = await import("./prove-again.ts");
    const signal = await proveAgain(answer);
    return signal === undefined ? answer : pacedFetch(input, { ...init, signal });
  }
  if (!isOver) return answer;
  // Loaded on demand, like the log-in window.
  const { awaitSession } = await import("./await-session.ts");
  return pacedFetch(input, { ...init, signal: await awaitSession(init?.signal) });
}
