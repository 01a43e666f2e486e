import { bytesOfBase64Url } from "./base64url.ts";
import type { SecretPair } from "./secret-pair.ts";

/**
 * The value of `?preview=`: the dashboard and the thumbnail maker read a file with it without counting a view.
 * `<expires>.<mac>`: Unix seconds, and the base64url HMAC-SHA-256 of the expiry and the key.
 */

const TOKEN = /^(\d{1,12})\.([\w-]{43})$/;
const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

const encoder = new TextEncoder();

export const PREVIEW_PARAMETER = "preview";

/** A token for one object, valid until `expiresUnixSeconds`. */
export async function signPreview(secret: string, objectKey: string, expiresUnixSeconds: number): Promise<string> {
  return (await openSigner(secret))(objectKey, expiresUnixSeconds);
}

/** @returns a token for one object, as `signPreview` does */
export type SignPreview = (objectKey: string, expiresUnixSeconds: number) => Promise<string>;

/** Signs many objects: the secret is imported once. */
export async function openSigner(secret: string): Promise<SignPreview> {
  const key = await importSecret(secret, "sign");
  return async (objectKey, expiresUnixSeconds) => {
    const mac = await crypto.subtle.sign("HMAC", key, signedBytes(String(expiresUnixSeconds), objectKey));
    const base64 = btoa(String.fromCharCode(...new Uint8Array(mac)));
    return `${expiresUnixSeconds}.${base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")}`;
  };
}

/**
 * Whether a token is genuine, for this object, and not expired. Compares in constant time; never throws on bad tokens.
 */
export async function verifyPreview(
  { accepted }: Pick<SecretPair, "accepted">,
  objectKey: string,
  token: string,
  nowUnixSeconds: number,
): Promise<boolean> {
  const [, expires, mac] = TOKEN.exec(token) ?? [];
  if (expires === undefined || mac === undefined || Number(expires) <= nowUnixSeconds) return false;
  const bytes = bytesOfBase64Url(mac);
  for (const secret of accepted) {
    const key = await importSecret(secret, "verify");
    if (await crypto.subtle.verify("HMAC", key, bytes, signedBytes(expires, objectKey))) return true;
  }
  return false;
}

function importSecret(secret: string, usage: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), ALGORITHM, false, [usage]);
}

/** The line feed marks the end of the digits, so two different pairs never give the same bytes. */
function signedBytes(expires: string, objectKey: string): Uint8Array {
  return encoder.encode(`${expires}\n${objectKey}`);
}
