import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { Client, Services } from "../context.ts";

/** The period of `KEY_LOOKUPS` (wrangler.toml). */
const PERIOD_SECONDS = 10;

/**
 * Counts the look-up of a key that this isolate does not know, before an object or D1 is called. Nothing else of the address counts here,
 * so its other errors do not affect its valid keys. The counter is the platform's, near the isolate and approximate. If it fails, the key
 * is looked up.
 * @throws ServiceError 429
 */
export async function takeKeyLookup({ keyLookups, config, now }: Services, client: Client): Promise<void> {
  const isAdmitted = await keyLookups.limit({ key: client.address }).then(
    ({ success }) => success,
    (error: unknown) => {
      console.error(toLogLine("key-lookups.not-counted", {}, error));
      return true;
    },
  );
  if (isAdmitted) return;
  const resetAt = now() + PERIOD_SECONDS * 1000;
  // The answer's rate headers come from here, so that the address's object is not called.
  client.rate = { limit: config.addressRatePerMinute, remaining: 0, resetAt };
  throw ERRORS.RateLimited(PERIOD_SECONDS);
}
