import type { SecretPair } from "../../domain/secret-pair.ts";

/**
 * `service_token_<account><random>_<mac>`: the account's id, 256 random bits, and the base64url HMAC-SHA-256 of both. The account's object
 * knows the token. The signature keeps made-up tokens from reaching objects: they would wake objects of accounts that do not exist.
 */
const TOKEN = /^(service_token_([0-7][0-9a-hjkmnp-tv-z]{25})[0-9A-Za-z]{43})_([\w-]{43})$/;
const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

const encoder = new TextEncoder();

/** Whether a bearer token has the shape of an upload token. */
export function isUploadToken(token: string): boolean {
  return TOKEN.test(token);
}

/** @param random 256 random bits in base62. A share keeps its own, so that each visit can make its token again. */
export async function toUploadTokenSecret(accountId: string, random: string, { current }: SecretPair): Promise<string> {
  const signed = `service_token_${accountId}${random}`;
  const mac = await crypto.subtle.sign("HMAC", await importSecret(current), toBytes(signed));
  return `${signed}_${Buffer.from(mac).toString("base64url")}`;
}

/** The account of a genuine token; undefined for every other text. */
export async function readUploadToken(token: string, { accepted }: SecretPair): Promise<string | undefined> {
  const [, signed, accountId, mac] = TOKEN.exec(token) ?? [];
  if (signed === undefined || mac === undefined) return undefined;
  const bytes = Buffer.from(mac, "base64url");
  for (const secret of accepted) {
    if (await crypto.subtle.verify("HMAC", await importSecret(secret), bytes, toBytes(signed))) return accountId;
  }
  return undefined;
}

/** `JWT_SECRET` signs sessions, too. The label keeps the two kinds of signatures apart. */
function toBytes(signed: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encoder.encode(`upload-token\n${signed}`));
}

function importSecret(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), ALGORITHM, false, ["sign", "verify"]);
}
