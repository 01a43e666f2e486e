import { insertAccount } from "../../db/queries/accounts.ts";
import type { Account } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { Services } from "../context.ts";
import { makeKey } from "../keys/make-key.ts";
import { openSession, type Session } from "./open-session.ts";

const DEFAULT_QUALITY = 65;
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
    readonly address: string;
  },
): Promise<Registration> {
  // Before the password is hashed: that is what a flood would make the Worker do.
  const attempts = services.addressMeterOf(`register:${input.address}`);
  const waitSeconds = await attempts.attempt(services.config.addressRegistrationsPerHour, WINDOW_SECONDS);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  const now = services.now();
  const account: Account = {
    id: newId(now),
    email: input.email,
    name: input.name,
    passwordHash: await hashPassword(input.password),
    tier: "free",
    billingAnchorAt: null,
    autoCompress: false,
    compressionQuality: DEFAULT_QUALITY,
    createdAt: now,
  };
  const { secret, key } = await makeKey(account.id, "upload", "Upload key", [], now);
  if (!(await insertAccount(services.db, account, key))) throw ERRORS.EmailTaken();
  return { account, uploadKey: secret, session: await openSession(services, account) };
}
