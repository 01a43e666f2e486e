import type { AuthenticationResponseJSON, AuthenticatorTransport } from "@simplewebauthn/server";
import { findPasskeyByCredential, usePasskey } from "../../db/directory/passkeys.ts";
import type { Passkey } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { Services } from "../context.ts";
import { CHALLENGE_MS, makeChallenge, readChallenge } from "./challenge.ts";

const PURPOSE = "log-in";

export type PasskeyServices = Pick<Services, "directory" | "now"> & {
  readonly config: Pick<Services["config"], "signInSecret" | "apiOrigin">;
};

/** Makes the browser's options to ask its user for any passkey of this service (WebAuthn, 5.5). */
export function makePasskeyRequest({ config, now }: PasskeyServices) {
  return {
    challenge: Buffer.from(makeChallenge(PURPOSE, config.signInSecret, now())).toString("base64url"),
    rpId: new URL(config.apiOrigin).hostname,
    timeout: CHALLENGE_MS,
    userVerification: "required" as const,
  };
}

/**
 * Verifies the answer of a passkey (WebAuthn, 7.2). The authenticator has verified its user, so a passkey is two factors.
 * Each challenge counts once.
 * @returns the passkey; it names the account
 * @throws ServiceError 403 for an unknown passkey, another account's user handle, a wrong signature, or a used or old challenge
 */
export async function confirmPasskey(
  services: PasskeyServices,
  response: AuthenticationResponseJSON,
): Promise<Passkey> {
  const { directory, now } = services;
  const passkey = await findPasskeyByCredential(directory, response.id);
  if (passkey === undefined || !isOwner(passkey, response)) throw ERRORS.PasskeyRefused();
  const verified = await verify(services, passkey, response);
  if (verified === undefined) throw ERRORS.PasskeyRefused();
  if (!(await usePasskey(directory, passkey, { ...verified, usedAt: now() }))) throw ERRORS.PasskeyRefused();
  return passkey;
}

/** Some authenticators name no user. */
function isOwner({ accountId }: Passkey, { response: { userHandle } }: AuthenticationResponseJSON): boolean {
  return !userHandle || Buffer.from(userHandle, "base64url").toString() === accountId;
}

/** @returns undefined if the answer is not valid. The library throws for malformed answers */
async function verify(
  { config, now }: PasskeyServices,
  { credentialId, publicKey, counter, transports }: Passkey,
  response: AuthenticationResponseJSON,
): Promise<Pick<Passkey, "counter" | "challengedAt"> | undefined> {
  // The library is loaded at the first use, because it is a quarter of the Worker's code.
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  let challengedAt: number | undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => {
        challengedAt = readChallenge(challenge, PURPOSE, config.signInSecret, now());
        return challengedAt !== undefined;
      },
      expectedOrigin: config.apiOrigin,
      expectedRPID: new URL(config.apiOrigin).hostname,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
        counter,
        transports: transports as AuthenticatorTransport[],
      },
      requireUserVerification: true,
    });
    if (!verified || challengedAt === undefined) return undefined;
    return { counter: authenticationInfo.newCounter, challengedAt };
  } catch (error) {
    console.warn(toLogLine("passkey.refused", {}, error));
    return undefined;
  }
}
