import { toHumanSize } from "../domain/human-size.ts";
import {
  DEFAULT_PAGE_ITEMS,
  DEFAULT_TAGS,
  MAX_COUNTED_OPERATIONS,
  MAX_DELETED,
  MAX_FILES,
  MAX_IDS,
  MAX_JSON_BYTES,
  MAX_LISTED_TAGS,
  MAX_MATCHES_CHANGED,
  MAX_PAGE_ITEMS,
  MAX_SEARCH_CHARACTERS,
} from "../domain/limits.ts";
import { toTable } from "../domain/tables.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS } from "../domain/tags.ts";
import { MAX_COMPRESSIBLE_BYTES } from "../processor/compression.ts";
import { FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS } from "./auth/try-password.ts";
import { MAX_FOLDERS } from "./folders/create-folder.ts";
import { MAX_API_KEYS } from "./keys/create-api-key.ts";
import { WEBHOOK_TESTS } from "./webhooks/test-webhook.ts";

/** The limits of one request or account beside its tier, in Markdown. */
export function limitTable(): string {
  const count = (number: number) => number.toLocaleString("en");
  return toTable(
    ["what", "at most"],
    [
      ["files of one upload request", count(MAX_FILES)],
      ["a JSON body", toHumanSize(MAX_JSON_BYTES)],
      ["ids of one request", count(MAX_IDS)],
      ["ids of one deletion", count(MAX_DELETED)],
      ["uploads of one change by filter", `${count(MAX_MATCHES_CHANGED)}; it goes on by \`cursor\``],
      ["tags of an upload", `${MAX_TAGS}, of ${MAX_TAG_CHARACTERS} characters each`],
      ["items of a page", `${MAX_PAGE_ITEMS}; ${DEFAULT_PAGE_ITEMS} where \`limit\` is not given`],
      ["tags of `GET /tags`", `${MAX_LISTED_TAGS}; ${DEFAULT_TAGS} where \`limit\` is not given`],
      ["operations of the log by `page`", count(MAX_COUNTED_OPERATIONS)],
      ["text that is searched for", `${MAX_SEARCH_CHARACTERS} characters`],
      ["folders of an account", count(MAX_FOLDERS)],
      ["API keys of an account", count(MAX_API_KEYS)],
      [
        "failed logins",
        `${FAILURES_PER_ACCOUNT.count} for an account, ${FAILURES_PER_ADDRESS.count} from an address, in ${FAILURES_PER_ACCOUNT.windowSeconds / 60} minutes`,
      ],
      ["tests of a webhook", `${WEBHOOK_TESTS.count} in an hour`],
      ["time in which an upload brings no byte", "90 seconds"],
      [
        "an image that is compressed",
        `${toHumanSize(MAX_COMPRESSIBLE_BYTES)}, 100 megapixels; a larger one is stored as uploaded`,
      ],
    ],
  );
}
