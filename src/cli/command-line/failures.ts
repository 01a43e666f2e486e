import type { MediaHostError } from "../../client/index.ts";

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2, credentials: 3 } as const;

/** The command line is not valid: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The credential is missing, or is not allowed to do this: exit code 3. */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
}

/** A part of the work failed and was reported: exit code 1. */
export class SomeFailed extends Error {
  override readonly name = "SomeFailed";
}

/** A signal ended the run: exit code 128 plus the signal's number, as in shells. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("interrupted");
    this.exitCode = exitCode;
  }
}

type Code = NonNullable<MediaHostError["code"]>;

/** The credential may not do this request, but a session may. */
const NEEDS_SESSION: readonly Code[] = ["api_tier_required", "scope_required", "session_required"];
/** The service does not accept the credential. */
const NOT_ACCEPTED: readonly Code[] = [
  "authorization_required",
  "bearer_required",
  "invalid_key",
  "invalid_session",
  "wrong_credentials",
];

/** Whether a session may do the refused request. */
export function needsSession({ code }: MediaHostError): boolean {
  return code !== undefined && NEEDS_SESSION.includes(code);
}

/**
 * Whether the service refused the credential, and will refuse it in every further request. A 401 without a code comes from a proxy, or from
 * this client.
 */
export function isCredentialRefused(error: MediaHostError): boolean {
  const { code, statusCode } = error;
  return code === undefined ? statusCode === 401 : NOT_ACCEPTED.includes(code) || needsSession(error);
}
