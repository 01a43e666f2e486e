import { noteAnswer } from "./note-answer.ts";
import { waitBeforeMs } from "./pacing.ts";
import { sleep } from "./sleep.ts";
import { readUsage, recordWait } from "./usage-store.ts";

/**
 * `fetch` for the client: keeps reads within the account's rate, takes the figures from every answer, and notices the session's end.
 * @throws the signal's reason; TypeError where no answer came
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
  const answer = await fetch(input, { ...init, credentials: "same-origin" });
  noteAnswer(answer, String(input));
  return answer;
}
