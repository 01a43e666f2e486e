import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { ERRORS } from "../../domain/errors.ts";
import { MemoryBudget } from "../../isolate/memory-budget.ts";

/**
 * OWASP's scrypt parameters for 32 MB of memory: an isolate has 128 MB. The runtime refuses a cost (N * r * p) over
 * 2^20; this is three quarters of it.
 */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const HASHING_BYTES = 128 * COST.N * COST.r;
/** The time for which a log-in waits for earlier passwords. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * One password is hashed at a time: the runtime computes scrypt on the isolate's only thread, even with a callback, and
 * cannot be interrupted. Waiters take turns with all other requests, so that a burst of log-ins blocks the thread for
 * one password at most.
 */
const hashing = new MemoryBudget(HASHING_BYTES);

/** Hashes a password with a random salt: `scrypt$N$r$p$salt$hash`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/**
 * Compares in constant time. `stored` is undefined for an unknown e-mail: the same work is done, so that the time does
 * not reveal which e-mails have accounts.
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

/** @throws ServiceError 503 if too many passwords wait */
async function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  // The same letters typed on two keyboards can differ in code points (RFC 8265, 4.2.2).
  const normalized = password.normalize("NFC");
  const turn = await hashing.take(HASHING_BYTES, MAX_WAIT_MS);
  if (turn === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  try {
    return scryptSync(normalized, salt, HASH_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES });
  } finally {
    turn.release();
  }
}
