import { toLogLine } from "../../domain/log-line.ts";
import { previewKey, toPath, variantsPrefix } from "../../domain/object-key.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { within } from "../../isolate/calls.ts";
import type { AccountStores } from "./account-stores.ts";

/** The most that a removal waits for the record of variants. */
const RECORD_MS = 5000;

/**
 * Removes the preview and the variants of a file (`versionOf` its key). Idempotent. It is called after the file is gone: a request that makes one
 * checks the file after it has written, and must not find it.
 */
export async function removeMade(version: string, stores: MadeStores): Promise<void> {
  const { accountId, files } = stores;
  // An upload has far fewer variants than a page of R2's.
  const { objects } = await files.list({ prefix: variantsPrefix(accountId, version) });
  const keys = objects.map(({ key }) => key);
  await forgetVariants(version, keys, stores);
  await files.delete([previewKey(accountId, version), ...keys]);
}

type MadeStores = Pick<AccountStores, "accountId" | "files" | "variants">;

/**
 * Takes variants out of the account's record before they are deleted, so that an interrupted deletion does it again. A deletion or a takedown
 * does not wait for a record that does not answer: `reconcile` repairs it.
 */
async function forgetVariants(
  version: string,
  keys: readonly string[],
  { accountId, variants }: MadeStores,
): Promise<void> {
  const prefix = variantsPrefix(accountId, version);
  const names = keys.map((key) => key.slice(prefix.length));
  if (names.length === 0) return;
  try {
    await within(RECORD_MS, variants.forget(version, names));
  } catch (error) {
    console.error(toLogLine("variants.not-forgotten", { accountId }, error));
  }
}

/** Removes the variants that a file (`versionOf` its key) had with this visibility, after its file has left that key. Idempotent. */
export async function removeVariants(version: string, visibility: Visibility, stores: MadeStores): Promise<void> {
  const { accountId, files } = stores;
  const prefix = variantsPrefix(accountId, version);
  const { objects } = await files.list({ prefix });
  const left = objects
    .map(({ key }) => key)
    .filter((key) => toPath(key.slice(prefix.length)).visibility === visibility);
  await forgetVariants(version, left, stores);
  if (left.length > 0) await files.delete(left);
}
