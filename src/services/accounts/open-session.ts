import { newId } from "../../domain/ids.ts";
import { signSessionToken } from "../auth/session-tokens.ts";
import type { Services } from "../context.ts";

export interface Session {
  readonly token: string;
  readonly expiresAt: number;
}

/** Logs an account in whose owner was recognised. */
export async function openSession(services: Services, accountId: string): Promise<Session> {
  const now = services.now();
  const sessionId = newId(now);
  const session = await signSessionToken({ accountId, sessionId }, services.config.jwtSecret, now);
  await services.meterOf(accountId).openSession(sessionId, session.expiresAt);
  return session;
}
