/**
 * Tests of the API suite that cannot pass where calls fail at random, though every answer is right. By file, with what each
 * one's full name contains; `inject.ts` leaves them out, and refuses a name that no test has.
 */

const COUNTS = "counts calls, or what exactly one call does: a call that was lost is made again";
const OUTAGE = "wants the 503 of an outage: the client tries it again, and then hears that the thing is gone";
const FALLS_TOGETHER = "says which of several requests at once comes first: one that is tried again comes later";
const TELLS_NO_WINNER = "says who deleted an upload: a call that is made again finds it gone, and cannot know by whom";
const BREAKS = "counts the calls after which the databases fail: they fail at others as well";
const LARGE = "sets up a thousand uploads, which takes half a minute and tries nothing else";

export const EXCLUDED: Readonly<Record<string, readonly (readonly [name: string, reason: string])[]>> = {
  "account/erase.test.ts": [["goes on in the background while a store is away", OUTAGE]],
  "intents/account.test.ts": [["that an outage of", OUTAGE]],
  "intents/delete-folder.test.ts": [["is erased step by step", OUTAGE]],
  "intents/delete.test.ts": [
    ["by an outage of R2", OUTAGE],
    ["at once) succeed once", TELLS_NO_WINNER],
    ["frees nothing where the upload", TELLS_NO_WINNER],
  ],
  "intents/order.test.ts": [
    ["are told apart in their answers", FALLS_TOGETHER],
    ["are one delete: the other finds nothing", TELLS_NO_WINNER],
  ],
  "keys-at-once.test.ts": [["are never more than an account may have", COUNTS]],
  "library/bulk-update.test.ts": [["takes 1,000 uploads at once", LARGE]],
  "library/same-moment.test.ts": [["in many requests at once", FALLS_TOGETHER]],
  "log-in-calls.test.ts": [["a log-in", COUNTS]],
  "meter/meter.test.ts": [["over the tier's rate are 429", COUNTS]],
  "operator/health.test.ts": [["is ready where all of them answer", COUNTS]],
  "operator/request-log.test.ts": [["no line but of a 5xx", COUNTS]],
  "shards/move.test.ts": [["is finished by the alarm", BREAKS]],
  "usage-headers.test.ts": [["are the account's where a valid key asks", COUNTS]],
};
