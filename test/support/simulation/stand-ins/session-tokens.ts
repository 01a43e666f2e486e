import type { SessionClaims } from "../../../../src/services/auth/session-tokens.ts";

const LIFETIME_MS = 7 * 24 * 60 * 60_000;

/** Unsigned tokens of three parts: real signatures are made on other threads, at random times. */
export async function signSessionToken(
  { accountId, sessionId }: SessionClaims,
  _secret: string,
  issuedAt: number,
): Promise<{ token: string; expiresAt: number }> {
  return { token: `session.${accountId}.${sessionId}`, expiresAt: issuedAt + LIFETIME_MS };
}

export async function verifySessionToken(token: string): Promise<SessionClaims | undefined> {
  const [, accountId, sessionId] = token.split(".");
  return accountId === undefined || sessionId === undefined ? undefined : { accountId, sessionId };
}
