import { jwtVerify, SignJWT } from "jose";
import type { SecretPair } from "../../domain/secret-pair.ts";

const SESSION_SECONDS = 7 * 24 * 60 * 60;

export interface SessionClaims {
  readonly accountId: string;
  readonly sessionId: string;
}

/** A JWT (RFC 7519) signed with HS256; claims `sub sid iat exp`. */
export async function signSessionToken(
  claims: SessionClaims,
  { current }: SecretPair,
  issuedAt: number,
): Promise<{ token: string; expiresAt: number }> {
  const issuedAtSeconds = Math.floor(issuedAt / 1000);
  const expiresAtSeconds = issuedAtSeconds + SESSION_SECONDS;
  const token = await new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(claims.accountId)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(expiresAtSeconds)
    .sign(encodeSecret(current));
  return { token, expiresAt: expiresAtSeconds * 1000 };
}

/** The claims of a valid token of this service, else undefined. */
export async function verifySessionToken(token: string, { accepted }: SecretPair): Promise<SessionClaims | undefined> {
  for (const secret of accepted) {
    const claims = await verifyWith(token, secret);
    if (claims !== undefined) return claims;
  }
  return undefined;
}

async function verifyWith(token: string, secret: string): Promise<SessionClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, encodeSecret(secret), {
      algorithms: ["HS256"],
      requiredClaims: ["sub", "sid", "iat", "exp"],
    });
    if (payload.sub === undefined || typeof payload.sid !== "string") return undefined;
    return { accountId: payload.sub, sessionId: payload.sid };
  } catch {
    return undefined;
  }
}

function encodeSecret(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
