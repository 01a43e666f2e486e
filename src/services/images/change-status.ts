import { updateStatus } from "../../db/library/uploads.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { AccountContext } from "../context.ts";

/**
 * Moves uploads to the trash or back. Ids that are unknown, another account's or already there are passed over.
 * @returns how many really moved
 */
export async function changeStatus(
  { library, accountId }: AccountContext,
  ids: readonly string[],
  to: UploadStatus,
): Promise<number> {
  return updateStatus(library, accountId, ids, { from: to === "trash" ? "active" : "trash", to });
}
