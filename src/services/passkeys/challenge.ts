import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { MINUTE_MS } from "../../domain/calendar.ts";
import type { SecretPair } from "../../domain/secret-pair.ts";

/** A challenge is signed and not stored, because anyone may request one. Its use is recorded with the passkey. */

export const CHALLENGE_MS = 5 * MINUTE_MS;
const TIME_BYTES = 8;
const RANDOM_BYTES = 16;

/** @param purpose `log-in`, or `register` with the account's id */
export function makeChallenge(purpose: string, { current }: SecretPair, now: number): Uint8Array<ArrayBuffer> {
  const body = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);
  body.writeBigUInt64BE(BigInt(now));
  randomBytes(RANDOM_BYTES).copy(body, TIME_BYTES);
  return new Uint8Array(Buffer.concat([body, sign(body, purpose, current)]));
}

/**
 * The time at which a challenge was made, in milliseconds; undefined if it is another service's, for another purpose, or too old.
 * @param challenge base64url
 */
export function readChallenge(
  challenge: string,
  purpose: string,
  { accepted }: SecretPair,
  now: number,
): number | undefined {
  const bytes = Buffer.from(challenge, "base64url");
  const body = bytes.subarray(0, TIME_BYTES + RANDOM_BYTES);
  const mac = bytes.subarray(TIME_BYTES + RANDOM_BYTES);
  const isSignedWith = (value: string): boolean => {
    const expected = sign(body, purpose, value);
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  };
  if (!accepted.some(isSignedWith)) return undefined;
  const madeAt = Number(body.readBigUInt64BE());
  return now - madeAt <= CHALLENGE_MS ? madeAt : undefined;
}

function sign(body: Buffer, purpose: string, signInSecret: string): Buffer {
  return createHmac("sha256", signInSecret).update(`passkey ${purpose} `).update(body).digest();
}
