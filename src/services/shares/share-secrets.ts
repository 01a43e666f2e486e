import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretPair } from "../../domain/secret-pair.ts";

/**
 * The end of a share's URL: the account's id, the share's id, and 128 bits of an HMAC-SHA-256 of both, in base64url. It is derived and not
 * stored, so `GET /shares` can show the URL again. A made-up token is refused without a call to an object or a database.
 */
const ID = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const TOKEN = new RegExp(`^(${ID})(${ID})([\\w-]{22})$`);
const MAC_BYTES = 16;

/** A visitor's right to a share with a password: `<Unix seconds>.<mac>`. */
const PASS = /^(\d{1,12})\.([\w-]{22})$/;

export interface ShareName {
  readonly accountId: string;
  readonly id: string;
}

/** @param secret `URL_SIGNING_SECRET`, whose older value is accepted until the next rotation */
export function toShareToken({ accountId, id }: ShareName, { current }: SecretPair): string {
  return accountId + id + macOf(current, ["share", accountId, id]);
}

/** @returns undefined for every text but a genuine token */
export function readShareToken(token: string, { accepted }: SecretPair): ShareName | undefined {
  const [, accountId, id, mac] = TOKEN.exec(token) ?? [];
  if (accountId === undefined || id === undefined || mac === undefined) return undefined;
  return accepted.some((secret) => isSame(mac, macOf(secret, ["share", accountId, id])))
    ? { accountId, id }
    : undefined;
}

/** A share with its password, as a pass knows it. */
export interface LockedShare extends ShareName {
  readonly passwordHash: string;
}

/** A pass ends with the password that it was given for. */
export function toSharePass(share: LockedShare, untilSeconds: number, { current }: SecretPair): string {
  return `${untilSeconds}.${passMac(current, share, untilSeconds)}`;
}

export function isSharePass(pass: string, share: LockedShare, nowSeconds: number, { accepted }: SecretPair): boolean {
  const [, until, mac] = PASS.exec(pass) ?? [];
  if (until === undefined || mac === undefined || Number(until) <= nowSeconds) return false;
  return accepted.some((secret) => isSame(mac, passMac(secret, share, Number(until))));
}

function passMac(secret: string, { accountId, id, passwordHash }: LockedShare, untilSeconds: number): string {
  return macOf(secret, ["share-pass", accountId, id, passwordHash, String(untilSeconds)]);
}

/** The first word keeps the kinds of signatures apart. */
function macOf(secret: string, words: readonly string[]): string {
  return createHmac("sha256", secret).update(words.join("\n")).digest().subarray(0, MAC_BYTES).toString("base64url");
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
