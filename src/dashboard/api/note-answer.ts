import { toUsage } from "./parse-usage.ts";
import { readSession, setSession } from "./session-store.ts";
import { recordUsage, recordWait } from "./usage-store.ts";

const LONGEST_WAIT_MS = 60_000;
/** A 401 from these paths does not end the session: log-in and registration have none, and log-out has just ended it. */
const ENTRANCE_PATHS = ["/auth/login", "/auth/register", "/auth/logout"];

/**
 * Records the response's figures of the account, a reached rate limit, or the end of the session.
 * @returns whether the response was a 401 because the page's session is over
 */
export function noteAnswer({ headers, status }: Response, url = ""): boolean {
  const usage = toUsage(headers);
  if (usage !== undefined) recordUsage(usage);
  const retryMs = status === 429 ? retryAfterMs(headers) : 0;
  // A longer Retry-After means that the month's operations are used up; requests do not wait for the next month.
  if (retryMs > 0 && retryMs <= LONGEST_WAIT_MS) recordWait(Date.now() + retryMs);
  if (status !== 401 || ENTRANCE_PATHS.some((path) => url.endsWith(path))) return false;
  setSession("over");
  return readSession() === "over";
}

function retryAfterMs(headers: Headers): number {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10);
  return seconds >= 0 ? seconds * 1000 : 0;
}
