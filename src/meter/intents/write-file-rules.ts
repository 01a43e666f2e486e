import { addToIndex, fileRulesKey, isIndexed, RULES_INDEX_KEY, type StoredFileRules } from "../../domain/file-rules.ts";
import type { AccountStores } from "./account-stores.ts";

/** Other accounts' objects write the index, too, each once. */
const MAX_TRIES = 20;

/** Writes the rules for an account's files, unless later ones are written, and adds the account to the index. Idempotent. */
export async function writeFileRules(
  { accountId, files }: Pick<AccountStores, "accountId" | "files">,
  rules: StoredFileRules,
): Promise<void> {
  await change(files, RULES_INDEX_KEY, async (found) => {
    const index = found === null ? new Uint8Array(0) : new Uint8Array(await new Response(found.body).arrayBuffer());
    return isIndexed(index, accountId) ? undefined : addToIndex(index, accountId);
  });
  await change(files, fileRulesKey(accountId), async (found) => {
    const stored = found === null ? undefined : await new Response(found.body).json<StoredFileRules>();
    return stored !== undefined && stored.changedAt >= rules.changedAt ? undefined : JSON.stringify(rules);
  });
}

/**
 * Replaces an object if it has not changed since it was read, so that a late write of an earlier life of this Durable Object undoes
 * nothing.
 * @param toBody the new content; undefined if the object is to stay
 */
async function change(
  files: R2Bucket,
  key: string,
  toBody: (found: R2ObjectBody | null) => Promise<string | Uint8Array<ArrayBuffer> | undefined>,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await files.get(key);
    const body = await toBody(found);
    if (body === undefined) return;
    const onlyIf = found === null ? { etagDoesNotMatch: "*" } : { etagMatches: found.etag };
    if ((await files.put(key, body, { onlyIf })) !== null) return;
  }
  throw new Error(`Others changed ${key} at each of ${MAX_TRIES} tries`);
}
