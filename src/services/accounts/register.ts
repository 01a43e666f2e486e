import type { Account } from "../../db/directory/schema.ts";
import { DEFAULT_SETTINGS } from "../../domain/account-settings.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { Services } from "../context.ts";
import { makeKey } from "../keys/make-key.ts";
import { drawShard } from "./draw-shard.ts";
import { newSession, type Session } from "./open-session.ts";

const WINDOW_SECONDS = 60 * 60;

export interface Registration {
  readonly account: Account;
  readonly session: Session;
  /** Shown once. */
  readonly uploadKey: string;
}

/**
 * Opens a Free account with an upload key, and logs its owner in. Compression is off until its owner turns it on: what
 * it takes away cannot be given back.
 * @param email lower case
 * @throws ServiceError 409 where the email is taken, 429 where the address has opened, or tried to open, too many
 */
export async function register(
  services: Services,
  input: {
    readonly email: string;
    readonly password: string;
    readonly name: string | null;
    /** Whose registrations are counted; undefined where the operator opens the account. */
    readonly address: string | undefined;
  },
): Promise<Registration> {
  // Before the password is hashed: that is what a flood would make the Worker do.
  if (input.address !== undefined) await countRegistration(services, input.address);
  const now = services.now();
  const account: Account = {
    id: newId(now),
    email: input.email,
    name: input.name,
    passwordHash: await hashPassword(input.password),
    tier: "free",
    billingAnchorAt: null,
    ...DEFAULT_SETTINGS,
    shard: await drawShard(services),
    createdAt: now,
  };
  const { secret, key } = await makeKey({ accountId: account.id, kind: "upload", name: "Upload key", scopes: [] }, now);
  const { session, sessionId } = await newSession(services, account.id);
  const { expiresAt } = session;
  const meter = services.meterOf(account.id);
  const isRegistered = await meter.register(account, key, { sessionId, expiresAt }).catch(async (error: unknown) => {
    await meter.unregister().catch((later: unknown) => console.error("An account is left to its alarm", later));
    throw error;
  });
  if (!isRegistered) throw ERRORS.EmailTaken();
  return { account, uploadKey: secret, session };
}

/** @throws ServiceError 429 */
async function countRegistration(services: Services, address: string): Promise<void> {
  const registrations = services.addressMeterOf(`register:${address}`);
  const limit = { count: services.config.addressRegistrationsPerHour, windowSeconds: WINDOW_SECONDS };
  const waitSeconds = await registrations.countOne(limit);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
}
