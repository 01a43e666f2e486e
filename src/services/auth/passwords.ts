import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** OWASP's scrypt parameters for 32 MB of memory: an isolate has 128 MB. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashes a password with a salt of its own: `scrypt$N$r$p$salt$hash`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/**
 * Compares in constant time. `stored` may be undefined, for an unknown email: the same work is done, so that the time
 * taken does not tell which emails have accounts.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = (stored ?? "").split("$");
  if (scheme !== "scrypt" || salt === undefined || hash === undefined) {
    await derive(password, randomBytes(SALT_BYTES), COST);
    return false;
  }
  const expected = Buffer.from(hash, "base64url");
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  return timingSafeEqual(await derive(password, Buffer.from(salt, "base64url"), cost), expected);
}

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  // The same letters typed on two keyboards can differ in code points (RFC 8265, 4.2.2).
  const normalized = password.normalize("NFC");
  return new Promise((resolve, reject) => {
    scrypt(normalized, salt, HASH_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}
