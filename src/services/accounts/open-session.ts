import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { signSessionToken } from "../auth/session-tokens.ts";
import type { Config, Services } from "../context.ts";

export interface Session {
  readonly token: string;
  readonly expiresAt: number;
}

/** A session that the account's meter still has to learn of. */
export async function newSession(
  { now, config }: Pick<Services, "now"> & { readonly config: Pick<Config, "jwtSecret"> },
  accountId: string,
): Promise<{ session: Session; sessionId: string }> {
  const createdAt = now();
  const sessionId = newId(createdAt);
  return { sessionId, session: await signSessionToken({ accountId, sessionId }, config.jwtSecret, createdAt) };
}

/**
 * Logs an account in whose owner was recognised by the password that `account.passwordHash` is of.
 * @throws ServiceError 401 where the password was changed meanwhile, or the account erased
 */
export async function openSession(
  services: Pick<Services, "meterOf" | "now"> & { readonly config: Pick<Config, "jwtSecret"> },
  { id: accountId, passwordHash }: Pick<Account, "id" | "passwordHash">,
): Promise<Session> {
  const { session, sessionId } = await newSession(services, accountId);
  const opened = await services.meterOf(accountId).openSession(sessionId, session.expiresAt, passwordHash);
  if (!opened) throw ERRORS.WrongCredentials();
  return session;
}
