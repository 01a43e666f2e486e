/** How deep the `cause` of an error is looked at. */
const MAX_DEPTH = 5;

/**
 * A library that was on its way to another shard for too long, or has just arrived there; out of a Durable Object the error comes as its
 * message alone.
 */
const LIBRARY_MOVED = /The library (is moving to|has left for) another shard/;

/** What the runtime sets on an error that came out of a Durable Object. */
const DURABLE_OBJECT_FLAGS = ["retryable", "overloaded", "durableObjectReset"];

/**
 * Whether an error says that D1, R2, a Durable Object or a queue failed, not our code: worth a 503 and a retry. The
 * platform has no classes for these, so its documented marks are looked for: `D1_ERROR` messages, R2's five-digit error
 * codes, and the flags that the runtime sets on errors of Durable Object stubs.
 */
export function isDependencyFailure(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth++) {
    if (/constraint failed/i.test(current.message)) return false;
    if (/^D1_|D1_ERROR|^Failed query|Network connection lost|internal error; reference/i.test(current.message))
      return true;
    if (LIBRARY_MOVED.test(current.message)) return true;
    if (/\(\d{5}\)\.?$|^Queue send(Batch)? failed/.test(current.message)) return true;
    if (DURABLE_OBJECT_FLAGS.some((flag) => flag in (current as Error))) return true;
    current = current.cause;
  }
  return false;
}
