import { selectNewest } from "../../db/listing/select-newest.ts";
import type { AccountContext } from "../context.ts";
import type { Upload } from "../records.ts";

interface NewestOfFolder {
  readonly id: string;
  /** Newest first. */
  readonly uploads: readonly Upload[];
}

/** The newest active uploads directly in each folder (FOLD-6), in the order of the ids. An unknown folder has none. */
export async function listNewest(
  { library, accountId }: AccountContext,
  folderIds: readonly string[],
  perFolder: number,
): Promise<NewestOfFolder[]> {
  const found = await selectNewest(library, { accountId, folderIds, perFolder });
  return folderIds.map((id) => ({ id, uploads: found.filter(({ folderId }) => folderId === id) }));
}
