import { isInvited } from "../../db/directory/invitations.ts";
import type { Account } from "../../db/directory/schema.ts";
import { DEFAULT_SETTINGS } from "../../domain/account-settings.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { hashPassword } from "../auth/passwords.ts";
import { verifyTurnstile } from "../auth/verify-turnstile.ts";
import type { Services } from "../context.ts";
import { makeKey } from "../keys/make-key.ts";
import { drawShard } from "./draw-shard.ts";
import { newSession, type Session } from "./open-session.ts";

const WINDOW_SECONDS = 60 * 60;

/** A person who asks for an account. */
export interface Applicant {
  /** Whose registrations are counted. */
  readonly address: string;
  /** The host that the request came to. */
  readonly hostname: string;
  /** What the form's challenge gave. */
  readonly turnstileToken: string | undefined;
}

export interface Registration {
  readonly account: Account;
  readonly session: Session;
  /** Shown once. */
  readonly uploadKey: string;
}

/**
 * Neither opening an account nor withdrawing it was answered: it may be there. Whoever asks again is told that the email is taken, and can
 * log in.
 */
export class UnansweredRegistrationError extends Error {
  constructor(cause: unknown) {
    super("Whether the account was opened is not known", { cause });
    this.name = "UnansweredRegistrationError";
  }
}

/**
 * Opens a Free account with an upload key, and logs its owner in. Compression is off until its owner turns it on: what
 * it takes away cannot be given back. The operator passes where registration is closed, by invitation, or asks for Turnstile.
 * @throws ServiceError 409 where the email is taken, 429 where the address has opened, or tried to open, too many, 403 where
 * registration is closed, the email not invited, or the challenge not passed; 400 without its token, 503 where it cannot be judged;
 * UnansweredRegistrationError
 */
export async function register(
  services: Services,
  input: {
    /** Lower case. */
    readonly email: string;
    readonly password: string;
    readonly name: string | null;
    /** Who asks; undefined where the operator opens the account. */
    readonly applicant: Applicant | undefined;
  },
): Promise<Registration> {
  // Before the password is hashed: that is what a flood would make the Worker do.
  if (input.applicant !== undefined) await judgeApplicant(services, input.email, input.applicant);
  const byInvitation = input.applicant !== undefined && services.config.registration.mode === "invited";
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
  const isRegistered = await meter
    .register(account, key, { sessionId, expiresAt }, byInvitation)
    .catch(async (error: unknown) => {
      await meter.unregister().catch((later: unknown) => {
        console.error(toLogLine("account.not-withdrawn", { accountId: account.id }, later));
        throw new UnansweredRegistrationError(error);
      });
      throw error;
    });
  if (!isRegistered) throw byInvitation ? ERRORS.InvitationRequired() : ERRORS.EmailTaken();
  return { account, uploadKey: secret, session };
}

/**
 * Nothing is asked of anybody where registration is closed. Else attempts are counted first: Turnstile's answers and the
 * invitations are not to be tried out. Whether an email has an account is not told apart from whether it was invited.
 * @throws ServiceError 400, 403, 429, 503
 */
async function judgeApplicant(services: Services, email: string, applicant: Applicant): Promise<void> {
  const { mode, turnstile } = services.config.registration;
  if (mode === "closed") throw ERRORS.RegistrationClosed();
  await countRegistration(services, applicant.address);
  if (turnstile !== undefined) await verifyTurnstile(turnstile, applicant.turnstileToken, applicant);
  if (mode === "invited" && !(await isInvited(services.directory, email, services.now()))) {
    throw ERRORS.InvitationRequired();
  }
}

/** @throws ServiceError 429 */
async function countRegistration(services: Services, address: string): Promise<void> {
  const registrations = services.addressMeterOf(`register:${address}`);
  const limit = { count: services.config.addressRegistrationsPerHour, windowSeconds: WINDOW_SECONDS };
  const waitSeconds = await registrations.countOne(limit);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
}
