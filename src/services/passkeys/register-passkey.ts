import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { deletePasskey, insertPasskey, listPasskeys as queryPasskeys } from "../../db/directory/passkeys.ts";
import type { Passkey } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId, newId } from "../../domain/ids.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { getAccount } from "../accounts/get-account.ts";
import { requireSession } from "../accounts/require-session.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";
import { CHALLENGE_MS, makeChallenge, readChallenge } from "./challenge.ts";

const MAX_PASSKEYS = 20;

/** Makes the browser's options to create a passkey (WebAuthn, 5.4). The account's id is the user handle. */
export async function beginPasskey(context: AccountContext) {
  const { accountId, directory, config, now } = context;
  const { email, name } = await getAccount(context);
  const held = await queryPasskeys(directory, accountId);
  const { hostname } = new URL(config.apiOrigin);
  return {
    challenge: Buffer.from(makeChallenge(purposeOf(accountId), config.signInSecret, now())).toString("base64url"),
    rp: { id: hostname, name: hostname },
    user: { id: Buffer.from(accountId).toString("base64url"), name: email, displayName: name ?? email },
    // EdDSA, ES256 and RS256, which authenticators support.
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: "public-key" as const })),
    timeout: CHALLENGE_MS,
    excludeCredentials: held.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: "public-key" as const,
      transports,
    })),
    authenticatorSelection: { residentKey: "required" as const, userVerification: "required" as const },
    attestation: "none" as const,
  };
}

/**
 * Stores a passkey that the browser has made (WebAuthn, 7.1).
 * @throws ServiceError 400 if the account has too many passkeys, 403 for an answer that is not valid or known already, 401 if the session
 * has ended meanwhile
 */
export async function addPasskey(
  context: AccountContext,
  { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
): Promise<Passkey> {
  const { accountId, directory, now, waitUntil } = context;
  const verified = await verify(context, response);
  if (verified === undefined) throw ERRORS.PasskeyRefused();
  const createdAt = now();
  const passkey = { id: newId(createdAt), accountId, name, createdAt, usedAt: null, ...verified };
  if ((await queryPasskeys(directory, accountId)).length >= MAX_PASSKEYS) {
    throw ERRORS.TooManyOf("passkeys", MAX_PASSKEYS);
  }
  const storing = storePasskey(context, passkey);
  // The write is completed even if the client disconnects.
  waitUntil(storing.catch(() => undefined));
  await storing;
  return passkey;
}

/** A passkey that is stored after its session has ended is removed: a password change may have ended the session (SIGN-5). */
async function storePasskey({ directory, meter, principal }: AccountContext, passkey: Passkey): Promise<void> {
  const sessionId = requireSession(principal);
  if (!(await insertPasskey(directory, passkey, MAX_PASSKEYS))) throw ERRORS.PasskeyRefused();
  if ((await meter.listSessions()).some(({ id }) => id === sessionId)) return;
  await deletePasskey(directory, passkey.accountId, passkey.id);
  throw ERRORS.InvalidSession();
}

/** The account's passkeys, newest first. */
export async function listPasskeys(account: AccountContext, query: PageQuery): Promise<Page<Passkey>> {
  const { directory, accountId } = account;
  const rows = await queryPasskeys(directory, accountId);
  const list = { name: "listPasskeys", accountId };
  return pageOfFew(account, query, { list, rows, keyOf: ({ id }) => id, isDescending: true });
}

/** @throws ServiceError 404 */
export async function removePasskey({ directory, accountId }: AccountContext, id: string): Promise<void> {
  if (!isId(id) || !(await deletePasskey(directory, accountId, id))) throw ERRORS.PasskeyNotFound();
}

/** @returns undefined if the answer is not valid. The library throws for malformed answers */
async function verify({ accountId, config, now }: AccountContext, response: RegistrationResponseJSON) {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  let challengedAt: number | undefined;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => {
        challengedAt = readChallenge(challenge, purposeOf(accountId), config.signInSecret, now());
        return challengedAt !== undefined;
      },
      expectedOrigin: config.apiOrigin,
      expectedRPID: new URL(config.apiOrigin).hostname,
      requireUserVerification: true,
    });
    if (registrationInfo === undefined || challengedAt === undefined) return undefined;
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { credentialId, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports, challengedAt };
  } catch (error) {
    console.warn(toLogLine("passkey.refused", {}, error));
    return undefined;
  }
}

function purposeOf(accountId: string): string {
  return `register ${accountId}`;
}
