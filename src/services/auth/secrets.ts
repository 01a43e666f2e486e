import { timingSafeEqual } from "node:crypto";
import type { KeyKind } from "../../domain/tiers.ts";

const PREFIXES: Readonly<Record<KeyKind, string>> = { upload: "service_upload_", api: "service_live_" };
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 base62 characters carry 256 bits. */
const SECRET_LENGTH = 43;
/** The largest multiple of 62 in a byte: larger bytes would make some characters likelier than others. */
const FAIR_BYTES = 62 * 4;

const KEY = /^service_(?:upload|live)_[0-9A-Za-z]{43}$/;

export function newKeySecret(kind: KeyKind): string {
  return PREFIXES[kind] + randomText();
}

/** 256 random bits in base62. */
export function randomText(): string {
  let secret = "";
  while (secret.length < SECRET_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(SECRET_LENGTH))) {
      if (byte < FAIR_BYTES && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62];
    }
  }
  return secret;
}

/** The code of an invitation: 128 bits, base64url. */
export function newInvitationCode(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
}

/** Whether a bearer token has the shape of a key. Other tokens need no lookup. */
export function isKeySecret(token: string): boolean {
  return KEY.test(token);
}

/** SHA-256 in hexadecimal, by which keys are stored and found. Keys are random, so a plain hash is enough. */
export async function hashSecret(secret: string): Promise<string> {
  return (await sha256(secret)).toString("hex");
}

/** Compares texts in constant time, even if their lengths differ. */
export async function secretsEqual(given: string, expected: string): Promise<boolean> {
  return timingSafeEqual(await sha256(given), await sha256(expected));
}

async function sha256(text: string): Promise<Buffer> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
