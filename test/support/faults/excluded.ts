/**
 * Tests of the API suite that cannot pass while calls fail at random, although every answer is right. By file, with a part of each full
 * name; `inject.ts` skips them, and refuses a name that no test has.
 */

const COUNTS = "counts calls, or the effects of exactly one call: a lost call is repeated";
const OUTAGE = "expects the 503 of an outage: the client retries, and then the resource is gone";
const FALLS_TOGETHER = "expects an order of simultaneous requests: a retried request comes later";
const TELLS_NO_WINNER =
  "expects one request to delete an upload: a repeated call finds it gone, and cannot know the reason";
const BREAKS = "counts the calls before the databases fail: they fail at other calls too";
const WHOLE = "sends a body that breaks off: the client of these tests reads a small body before it sends it";
const OWN_FIELDS = "reads the fields of the object: the object of these tests has one more";
const REPLACED = "replaces a binding, and expects its error: another binding fails before";
const LARGE = "stores a thousand uploads, which takes half a minute and tests nothing else";

export const EXCLUDED: Readonly<Record<string, readonly (readonly [name: string, reason: string])[]>> = {
  "account/erase.test.ts": [["continues in the background while a store is away", OUTAGE]],
  "costs/strangers.test.ts": [["The page of costs has the counted figures", COUNTS]],
  "events/costs.test.ts": [["Events cost at most", COUNTS]],
  "intents/account.test.ts": [["An erasure interrupted by an outage of", OUTAGE]],
  "intents/delete-folder.test.ts": [["is erased step by step", OUTAGE]],
  "intents/delete.test.ts": [
    ["interrupted by an outage of R2", OUTAGE],
    ["at once) succeed once", TELLS_NO_WINNER],
    ["frees nothing if the upload", TELLS_NO_WINNER],
  ],
  "intents/expiry.test.ts": [["are deleted fifty at a time", COUNTS]],
  "intents/order.test.ts": [
    ["Each tier change's answer has the tier", FALLS_TOGETHER],
    ["Two deletes of the same upload count once", TELLS_NO_WINNER],
  ],
  "keys-at-once.test.ts": [["never exceed the account's limit", COUNTS]],
  "library/bulk-update.test.ts": [["changes 1,000 uploads at once", LARGE]],
  "library/same-moment.test.ts": [["in many requests at once", FALLS_TOGETHER]],
  "log-in-calls.test.ts": [["Log-in calls", COUNTS]],
  "meter/meter.test.ts": [["over the tier's rate are 429", COUNTS]],
  "meter/rpc-surface.test.ts": [["and nothing else of the object", OWN_FIELDS]],
  "operator/health.test.ts": [["The service is ready if every dependency answers", COUNTS]],
  "operator/request-log.test.ts": [
    ["has lines of 5xx only", COUNTS],
    ["A 500 has the request id", REPLACED],
  ],
  "shards/move.test.ts": [["is finished by the alarm", BREAKS]],
  "shares/shares.test.ts": [["Visitors use up the minute of shares", COUNTS]],
  "uploads/idempotency.test.ts": [["replaces a first one whose bytes broke off", WHOLE]],
  "usage-headers.test.ts": [["Usage headers are of the valid key's account", COUNTS]],
};
