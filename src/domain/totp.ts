/** One-time passwords of authenticator apps: RFC 6238 with HMAC-SHA-1, 6 digits and steps of 30 seconds. */

const STEP_MS = 30_000;
const DIGITS = 6;
/** A code of the step before or after is accepted, too, because clocks differ (RFC 6238, 5.2). */
const DRIFT_STEPS = 1;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The length of a secret: 160 bits (RFC 4226, 4, R6). */
export function newTotpSecret(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(20));
}

/** Base32 without padding (RFC 4648, 6), as authenticator apps take it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** The link that adds an account to an authenticator app. */
export function totpUri(
  secret: Uint8Array,
  { issuer, email }: { readonly issuer: string; readonly email: string },
): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

export function isTotpCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** The time step of a code that is right at this time; undefined if the code is wrong. */
export async function findTotpStep(
  secret: Uint8Array<ArrayBuffer>,
  code: string,
  now: number,
): Promise<number | undefined> {
  const current = Math.floor(now / STEP_MS);
  let found: number | undefined;
  // Every step is compared, so that the duration does not reveal which step is near.
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step++) {
    if (isSame(await totpCode(secret, step * STEP_MS), code)) found = step;
  }
  return found;
}

/** The code of a time in milliseconds (RFC 4226, 5.3). */
export async function totpCode(secret: Uint8Array<ArrayBuffer>, at: number): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / STEP_MS)));
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 15;
  const number = (mac.getUint32(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

function isSame(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at++) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
