import { previewKey, variantsPrefix } from "../../domain/object-key.ts";
import type { AccountStores } from "./account-stores.ts";

/**
 * Removes the preview and the variants of an upload's file. Idempotent. It is called after the file is gone: a request that makes one
 * checks the file after it has written, and must not find it.
 */
export async function removeMade(
  uploadId: string,
  { accountId, files }: Pick<AccountStores, "accountId" | "files">,
): Promise<void> {
  // An upload has far fewer variants than a page of R2's.
  const { objects } = await files.list({ prefix: variantsPrefix(accountId, uploadId) });
  await files.delete([previewKey(accountId, uploadId), ...objects.map(({ key }) => key)]);
}
