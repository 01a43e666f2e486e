/** Waits longer than this are not waited for: a month's operations are used up. */
const LONGEST_WAIT_SECONDS = 120;

interface ErrorFacts {
  /** As the service says it; 0 where no answer came. */
  readonly statusCode: number;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterSeconds?: number | undefined;
  /** What the service calls this request in its log. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** What a call throws that did not succeed, after all its retries. */
export class MediaHostError extends Error {
  readonly statusCode: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, { statusCode, details, retryAfterSeconds, requestId, cause }: ErrorFacts) {
    super(message, { cause });
    this.name = "MediaHostError";
    this.statusCode = statusCode;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }

  /** Whether the same call may succeed a little later. A 409 is where it says when to try again. */
  get retryable(): boolean {
    const { statusCode, retryAfterSeconds } = this;
    if ((retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return false;
    if (statusCode === 409) return retryAfterSeconds !== undefined;
    return statusCode === 0 || statusCode >= 500 || [408, 423, 429].includes(statusCode);
  }
}

/** The error that an answer tells (README, Errors). Answers of proxies in between are not our JSON. */
export async function toError(answer: Response): Promise<MediaHostError> {
  const { status } = answer;
  const body = (await answer.json().catch(() => undefined)) as
    | { error?: unknown; details?: unknown }
    | null
    | undefined;
  const waitSeconds = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
  return new MediaHostError(typeof body?.error === "string" ? body.error : `HTTP ${status}`, {
    statusCode: status,
    details: body?.details as ErrorFacts["details"],
    retryAfterSeconds: waitSeconds >= 0 ? waitSeconds : undefined,
    requestId: answer.headers.get("X-Request-Id") ?? undefined,
  });
}
