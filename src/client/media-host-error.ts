import type { ErrorCode } from "./types.ts";

/** Do not retry when `Retry-After` exceeds this (a monthly limit). */
const LONGEST_WAIT_SECONDS = 120;

interface ErrorFacts {
  /** 0 if there was no answer. */
  readonly statusCode: number;
  readonly code?: ErrorCode | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The request's id in the service's log. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** The error of a call that failed after all retries. */
export class MediaHostError extends Error {
  declare readonly statusCode: number;
  /** The service's stable name of the error; undefined if the answer was not the service's own. */
  declare readonly code: ErrorCode | undefined;
  declare readonly details: Readonly<Record<string, unknown>> | undefined;
  declare readonly retryAfterSeconds: number | undefined;
  declare readonly requestId: string | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts);
    Object.assign(this, { name: "MediaHostError", ...facts });
  }

  /** Whether the same call may succeed soon. A 409 may succeed if it has a `Retry-After`. */
  get retryable(): boolean {
    const { statusCode, retryAfterSeconds } = this;
    if ((retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return false;
    if (statusCode === 409) return retryAfterSeconds !== undefined;
    return statusCode === 0 || statusCode >= 500 || [408, 423, 429].includes(statusCode);
  }
}

/** The error of an answer (contract, ERR-1). The answer of a proxy may have another body. */
export async function toError(answer: Response): Promise<MediaHostError> {
  const { status } = answer;
  const body = (await answer.json().catch(() => null)) as Partial<Record<"error" | "code" | "details", unknown>> | null;
  const { error, code, details } = body ?? {};
  const waitSeconds = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
  return new MediaHostError(typeof error === "string" ? error : `HTTP ${status}`, {
    statusCode: status,
    code: code as ErrorFacts["code"],
    details: details as ErrorFacts["details"],
    retryAfterSeconds: waitSeconds >= 0 ? waitSeconds : undefined,
    requestId: answer.headers.get("X-Request-Id") ?? undefined,
  });
}
