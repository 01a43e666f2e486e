import {
  ALLOWANCE_MICRODOLLARS,
  CHANGE_MICRODOLLARS,
  PREVIEW_SECONDS_PER_DAY,
  VARIANT_MICRODOLLARS,
} from "../domain/allowance.ts";
import { MAX_WEBHOOKS } from "../domain/events.ts";
import { MAX_PRESETS, MAX_SIGNING_KEYS } from "../domain/file-rules.ts";
import { toHumanSize } from "../domain/human-size.ts";
import {
  MAX_ENDED_IMPORTS,
  MAX_IMPORT_ITEMS,
  MAX_IMPORT_JSON_BYTES,
  MAX_IMPORTING,
  MAX_OPEN_IMPORTS,
} from "../domain/imports.ts";
import {
  DEFAULT_DUPLICATE_GROUPS,
  DEFAULT_PAGE_ITEMS,
  DEFAULT_TAGS,
  MAX_COUNTED_OPERATIONS,
  MAX_DELETED,
  MAX_DUPLICATE_GROUPS,
  MAX_FILES,
  MAX_FOLDERS,
  MAX_IDS,
  MAX_JSON_BYTES,
  MAX_LISTED_DUPLICATES,
  MAX_LISTED_TAGS,
  MAX_MATCHES_CHANGED,
  MAX_PAGE_ITEMS,
  MAX_SEARCH_CHARACTERS,
} from "../domain/limits.ts";
import {
  FAILURES_OF_STRANGERS,
  FAILURES_PER_ACCOUNT_AND_ADDRESS,
  FAILURES_PER_ADDRESS,
  PASSKEYS_PER_ADDRESS,
  PASSWORD_CHANGES,
  TRIES_PER_ACCOUNT_AND_ADDRESS,
  TRIES_PER_ADDRESS,
} from "../domain/log-in-limits.ts";
import { DROP_BYTES, DROP_EVERY_MS, MAX_WRITERS, PIECES_PER_MINUTE } from "../domain/resumable.ts";
import { MAX_SAVED_SEARCHES } from "../domain/saved-search.ts";
import { MAX_SHARED_IDS, MAX_SHARES, SHARE_VISITS_PER_MINUTE } from "../domain/share.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS } from "../domain/tags.ts";
import { MAX_UPLOADS_IN_PROGRESS, NEW_VARIANTS_PER_MINUTE, TIER_NAMES, type TierName } from "../domain/tiers.ts";
import { toTable } from "../domain/to-table.ts";
import { MAX_TOKEN_SECONDS, MAX_UPLOAD_TOKENS } from "../domain/upload-token.ts";
import { MAX_COMPRESSIBLE_BYTES } from "../processor/compression.ts";
import { MAX_API_KEYS } from "./keys/create-api-key.ts";
import { WEBHOOK_TESTS } from "./webhooks/webhook.ts";

/** The number of changes or variants of this price that the allowance of each tier has. */
function inAllowance(microdollars: number): Record<TierName, number> {
  const counts = TIER_NAMES.map((name) => [name, ALLOWANCE_MICRODOLLARS[name] / microdollars]);
  return Object.fromEntries(counts) as Record<TierName, number>;
}

function tiers(limits: Readonly<Record<TierName, number>>): string {
  return TIER_NAMES.map((name) => limits[name].toLocaleString("en")).join(", ");
}

/** The limits of a request or account that do not depend on the tier, in Markdown. */
export function limitTable(): string {
  const count = (number: number) => number.toLocaleString("en");
  return toTable(
    ["limit", "at most"],
    [
      ["files of one upload request", count(MAX_FILES)],
      ["a JSON body", toHumanSize(MAX_JSON_BYTES)],
      ["items of an import, and its body", `${count(MAX_IMPORT_ITEMS)}, ${toHumanSize(MAX_IMPORT_JSON_BYTES)}`],
      ["imports that have not ended", count(MAX_OPEN_IMPORTS)],
      ["ended imports that are kept, for 30 days", count(MAX_ENDED_IMPORTS)],
      ["items that an account imports at a time, by tier", tiers(MAX_IMPORTING)],
      ["ids of one request", count(MAX_IDS)],
      ["ids of one `bulk-delete` (sessions)", count(MAX_DELETED)],
      ["uploads of one change by filter", `${count(MAX_MATCHES_CHANGED)}; then \`cursor\``],
      ["tags of an upload", `${MAX_TAGS}, of ${MAX_TAG_CHARACTERS} characters each`],
      ["items of a page of `GET /images` and `GET /logs`", `${MAX_PAGE_ITEMS}; ${DEFAULT_PAGE_ITEMS} by default`],
      ["items of a page of other lists", count(MAX_PAGE_ITEMS)],
      ["tags of `GET /tags`", `${MAX_LISTED_TAGS}; ${DEFAULT_TAGS} by default`],
      [
        "groups of a page of `GET /duplicates`",
        `${MAX_DUPLICATE_GROUPS}; ${DEFAULT_DUPLICATE_GROUPS} by default; each with ${MAX_LISTED_DUPLICATES} files`,
      ],
      ["operations of the log by `page`", count(MAX_COUNTED_OPERATIONS)],
      ["presets of an account", String(MAX_PRESETS)],
      ["saved searches of an account", String(MAX_SAVED_SEARCHES)],
      ["signing keys of an account", String(MAX_SIGNING_KEYS)],
      ["characters of a search", String(MAX_SEARCH_CHARACTERS)],
      ["changes in 30 days that are no operations", `${tiers(inAllowance(CHANGE_MICRODOLLARS))} by tier`],
      ["new variants of an account in 30 days", `${tiers(inAllowance(VARIANT_MICRODOLLARS))} by tier`],
      ["new variants of an account in a minute", `${tiers(NEW_VARIANTS_PER_MINUTE)} by tier`],
      ["seconds of CPU time a day for compression previews", `${tiers(PREVIEW_SECONDS_PER_DAY)} by tier`],
      ["requests a minute to unfinished tus uploads", `${tiers(PIECES_PER_MINUTE)} by tier`],
      [
        `tus pieces of at most ${toHumanSize(DROP_BYTES)}`,
        `one every ${DROP_EVERY_MS / 1000} seconds; faster ones wait, then are 429`,
      ],
      ["unfinished tus uploads that receive bytes at the same time", `${tiers(MAX_WRITERS)} by tier`],
      ["files of an account that arrive at the same time", `${tiers(MAX_UPLOADS_IN_PROGRESS)} by tier`],
      ["folders of an account, and of a page of `GET /folders`", count(MAX_FOLDERS)],
      ["API keys of an account", count(MAX_API_KEYS)],
      [
        "upload tokens of an account",
        `${count(MAX_UPLOAD_TOKENS)}; each lives at most ${MAX_TOKEN_SECONDS / 86_400} days`,
      ],
      ["shares of an account", `${count(MAX_SHARES)}; each names at most ${MAX_SHARED_IDS} ids`],
      ["pages of an account's shares that are opened in a minute", `${tiers(SHARE_VISITS_PER_MINUTE)} by tier`],
      [
        "wrong passwords of an address",
        `${FAILURES_PER_ACCOUNT_AND_ADDRESS.count} for one account, ${FAILURES_PER_ADDRESS.count} for all, in ${FAILURES_PER_ADDRESS.windowSeconds / 60} minutes`,
      ],
      [
        "wrong passwords for an account from addresses that never logged in to it",
        `${FAILURES_OF_STRANGERS.atOnce}, then one every ${FAILURES_OF_STRANGERS.everySeconds} seconds`,
      ],
      [
        "passwords tried by an address, right or wrong",
        `${TRIES_PER_ACCOUNT_AND_ADDRESS.count} an hour for one account, ${TRIES_PER_ADDRESS.count} in ${TRIES_PER_ADDRESS.windowSeconds / 60} minutes for all`,
      ],
      [
        "log-ins by passkey of an address",
        `${PASSKEYS_PER_ADDRESS.count} in ${PASSKEYS_PER_ADDRESS.windowSeconds / 60} minutes`,
      ],
      ["password changes of an account", `${PASSWORD_CHANGES.count} an hour`],
      ["webhooks", `${MAX_WEBHOOKS.pro} on Pro and Business, ${MAX_WEBHOOKS.free} on Free and Starter`],
      ["webhook tests and redeliveries", `${WEBHOOK_TESTS.count} an hour`],
      ["seconds without a byte of an upload", "90"],
      [
        "a compressed image",
        `${toHumanSize(MAX_COMPRESSIBLE_BYTES)}, 100 megapixels; larger ones are stored as uploaded`,
      ],
    ],
  );
}
