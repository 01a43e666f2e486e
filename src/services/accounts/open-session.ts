import type { Account } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { signSessionToken } from "../auth/session-tokens.ts";
import type { Config, Services } from "../context.ts";

export interface Session {
  readonly token: string;
  readonly expiresAt: number;
}

/**
 * Logs an account in whose owner was recognised by the password that `account.passwordHash` is of.
 * @throws ServiceError 401 where the password was changed meanwhile, or the account erased
 */
export async function openSession(
  services: Pick<Services, "meterOf" | "now"> & { readonly config: Pick<Config, "jwtSecret"> },
  { id: accountId, passwordHash }: Pick<Account, "id" | "passwordHash">,
): Promise<Session> {
  const now = services.now();
  const sessionId = newId(now);
  const session = await signSessionToken({ accountId, sessionId }, services.config.jwtSecret, now);
  const opened = await services.meterOf(accountId).openSession(sessionId, session.expiresAt, passwordHash);
  if (!opened) throw ERRORS.WrongCredentials();
  return session;
}
