import { previewKey, toPath, variantsPrefix } from "../../domain/object-key.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { AccountStores } from "./account-stores.ts";

/**
 * Removes the preview and the variants of a file (`versionOf` its key). Idempotent. It is called after the file is gone: a request that makes one
 * checks the file after it has written, and must not find it.
 */
export async function removeMade(
  version: string,
  { accountId, files }: Pick<AccountStores, "accountId" | "files">,
): Promise<void> {
  // An upload has far fewer variants than a page of R2's.
  const { objects } = await files.list({ prefix: variantsPrefix(accountId, version) });
  await files.delete([previewKey(accountId, version), ...objects.map(({ key }) => key)]);
}

/** Removes the variants that a file (`versionOf` its key) had with this visibility, after its file has left that key. Idempotent. */
export async function removeVariants(
  version: string,
  visibility: Visibility,
  { accountId, files }: Pick<AccountStores, "accountId" | "files">,
): Promise<void> {
  const prefix = variantsPrefix(accountId, version);
  const { objects } = await files.list({ prefix });
  const left = objects
    .map(({ key }) => key)
    .filter((key) => toPath(key.slice(prefix.length)).visibility === visibility);
  if (left.length > 0) await files.delete(left);
}
