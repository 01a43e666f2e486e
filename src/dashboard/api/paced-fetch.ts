import { waitBeforeMs } from "./pacing.ts";
import { toUsage } from "./parse-usage.ts";
import { setSession } from "./session-store.ts";
import { readUsage, recordUsage, recordWait } from "./usage-store.ts";

const LONGEST_WAIT_MS = 60_000;
/** The address of a log-in answers 401 to a wrong password, which ends no session. */
const PASSWORD_PATHS = ["/auth/login", "/auth/register"];

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
  const usage = toUsage(answer.headers);
  if (usage !== undefined) recordUsage(usage);
  const retryMs = answer.status === 429 ? retryAfterMs(answer) : 0;
  // A month's operations that are used up are no wait.
  if (retryMs > 0 && retryMs <= LONGEST_WAIT_MS) recordWait(Date.now() + retryMs);
  if (answer.status === 401 && !PASSWORD_PATHS.some((path) => String(input).endsWith(path))) setSession("over");
  return answer;
}

function retryAfterMs(answer: Response): number {
  const seconds = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
  return seconds >= 0 ? seconds * 1000 : 0;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
