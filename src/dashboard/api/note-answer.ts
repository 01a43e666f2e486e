import { toUsage } from "./parse-usage.ts";
import { setSession } from "./session-store.ts";
import { recordUsage, recordWait } from "./usage-store.ts";

const LONGEST_WAIT_MS = 60_000;
/** The address of a log-in answers 401 to a wrong password, which ends no session. */
const PASSWORD_PATHS = ["/auth/login", "/auth/register"];

/** Takes from an answer what every answer tells: the account's figures, a limit that is reached, the session's end. */
export function noteAnswer({ headers, status }: Response, url = ""): void {
  const usage = toUsage(headers);
  if (usage !== undefined) recordUsage(usage);
  const retryMs = status === 429 ? retryAfterMs(headers) : 0;
  // A month's operations that are used up are no wait.
  if (retryMs > 0 && retryMs <= LONGEST_WAIT_MS) recordWait(Date.now() + retryMs);
  if (status === 401 && !PASSWORD_PATHS.some((path) => url.endsWith(path))) setSession("over");
}

function retryAfterMs(headers: Headers): number {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10);
  return seconds >= 0 ? seconds * 1000 : 0;
}
