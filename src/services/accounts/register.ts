import { findInvitation } from "../../db/directory/invitations.ts";
import type { Account } from "../../db/directory/schema.ts";
import { DEFAULT_SETTINGS } from "../../domain/account-settings.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { UNVERIFIED_MS } from "../../domain/mail-proofs.ts";
import { rememberLogIn } from "../auth/begin-attempts.ts";
import { hashPassword } from "../auth/passwords.ts";
import { hashSecret, secretsEqual } from "../auth/secrets.ts";
import { verifyTurnstile } from "../auth/verify-turnstile.ts";
import type { Services } from "../context.ts";
import { makeKey } from "../keys/make-key.ts";
import { countMailTo, requestProof } from "../mail/request-proof.ts";
import { deviceDigests, type SessionClient } from "../sessions/identify-device.ts";
import { drawShard } from "./draw-shard.ts";
import { newSession, type Session } from "./open-session.ts";

const WINDOW_SECONDS = 60 * 60;

/** A person who registers. */
export interface Applicant {
  /** The client's address, whose registrations are counted. */
  readonly address: string;
  /** The request's host. */
  readonly hostname: string;
  /** The token of the form's challenge. */
  readonly turnstileToken: string | undefined;
  /** The code of an invitation. */
  readonly invitation: string | undefined;
}

export interface Registration {
  readonly account: Account;
  readonly session: Session;
  /** Shown once. */
  readonly uploadKey: string;
}

/**
 * Neither the registration nor its withdrawal was answered, so the account may exist. After a second attempt the answer is that the e-mail
 * is taken, and its owner can log in.
 */
export class UnansweredRegistrationError extends Error {
  constructor(cause: unknown) {
    super("It is unknown whether the account was opened", { cause });
    this.name = "UnansweredRegistrationError";
  }
}

/**
 * Opens a Free account with an upload key, and logs its owner in. An operator needs no open registration, no invitation
 * and no Turnstile token.
 * @throws ServiceError 409 if the e-mail is taken; 429 after too many attempts from one address; 403 if registration is
 * closed, the e-mail is not invited, or Turnstile rejects the token; 400 without a Turnstile token; 503 if Turnstile
 * does not answer; UnansweredRegistrationError
 */
export async function register(
  services: Services,
  input: {
    /** Lower case. */
    readonly email: string;
    readonly password: string;
    readonly name: string | null;
    /** The sender of the request, for the list of sessions. */
    readonly from: SessionClient;
    /** Undefined if the operator opens the account. */
    readonly applicant: Applicant | undefined;
  },
): Promise<Registration> {
  // A flood must be refused before passwords are hashed.
  const invitation =
    input.applicant === undefined ? null : await judgeApplicant(services, input.email, input.applicant);
  // The operator trusts the addresses that it invites, and the addresses of accounts that it opens.
  const isVouchedFor = input.applicant === undefined || invitation !== null;
  const { verification } = services.config.mail;
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
    emailVerifiedAt: isVouchedFor ? now : null,
    operatorSince: null,
    verifyBy: !isVouchedFor && verification === "required" ? now + UNVERIFIED_MS : null,
  };
  const { secret, key } = await makeKey({ accountId: account.id, kind: "upload", name: "Upload key", scopes: [] }, now);
  const { session, sessionId } = await newSession(services, account.id);
  const { device, address } = input.from;
  const digests = await deviceDigests(input.from);
  const { expiresAt } = session;
  const meter = services.meterOf(account.id);
  const isRegistered = await meter
    .register(account, key, { sessionId, expiresAt, device, address, deviceDigests: digests }, invitation)
    .catch(async (error: unknown) => {
      await meter.unregister().catch((later: unknown) => {
        console.error(toLogLine("account.not-withdrawn", { accountId: account.id }, later));
        throw new UnansweredRegistrationError(error);
      });
      throw error;
    });
  if (!isRegistered) throw invitation !== null ? ERRORS.InvitationRequired() : ERRORS.EmailTaken();
  if (input.applicant !== undefined) await rememberLogIn(services, input.applicant, input.email);
  if (!isVouchedFor && verification !== "off" && (await countMailTo(services, account.email)) === 0)
    await requestProof(services, { purpose: "verify-email", accountId: account.id });
  return { account, uploadKey: secret, session };
}

/**
 * A closed registration checks nothing else. Attempts are counted before Turnstile or the invitations are consulted, so that neither can be
 * probed. The answers do not reveal whether an e-mail has an account or an invitation.
 * @returns the hash of the invitation's code; null if none was given and none is needed
 * @throws ServiceError 400, 403, 429, 503
 */
async function judgeApplicant(services: Services, email: string, applicant: Applicant): Promise<string | null> {
  const { mode, turnstile } = services.config.registration;
  if (mode === "closed") throw ERRORS.RegistrationClosed();
  await countRegistration(services, applicant.address);
  if (turnstile !== undefined) await verifyTurnstile(turnstile, applicant.turnstileToken, applicant);
  if (applicant.invitation !== undefined) return requireInvitation(services, email, applicant.invitation);
  if (mode === "invited") throw ERRORS.InvitationRequired();
  return null;
}

/** @returns the hash of the code @throws ServiceError 403 if the e-mail was not invited with this code */
async function requireInvitation(services: Services, email: string, code: string): Promise<string> {
  const hash = await hashSecret(code);
  const { codeHash } = (await findInvitation(services.directory, email, services.now())) ?? {};
  if (!(await secretsEqual(hash, codeHash ?? "")) || codeHash == null) throw ERRORS.InvitationRequired();
  return hash;
}

/** @throws ServiceError 429 */
async function countRegistration(services: Services, address: string): Promise<void> {
  const registrations = services.addressMeterOf(`register:${address}`);
  const limit = { count: services.config.addressRegistrationsPerHour, windowSeconds: WINDOW_SECONDS };
  const waitSeconds = await registrations.countOne(limit);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
}
