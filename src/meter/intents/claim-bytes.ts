import type { MeterContext } from "../account/context.ts";
import type { ByteClaim } from "../books/byte-claim-store.ts";
import { uploadOperationId } from "../books/uploads-and-deletions.ts";
import { uploadIntentId } from "./intent.ts";
import { uploadStanding } from "./upload-standing.ts";

/** Claims bytes for uploads in progress (`ByteClaimStore`). @returns false if another upload in progress holds one of them */
export async function claimBytes(
  { storage, tables, load }: MeterContext,
  claims: readonly ByteClaim[],
): Promise<boolean> {
  // An erased account stores nothing, so its uploads fail later.
  if (!(await load()) || tables.erasing) return true;
  const isLive = (uploadId: string) => {
    const { state, offset, length } = tables.resumables.find(uploadId) ?? {};
    const isWhole = state === "receiving" && offset === length;
    return isWhole || tables.intents.find(uploadIntentId(uploadId)) !== undefined;
  };
  return storage.transactionSync(() => tables.byteClaims.take(claims, isLive));
}

/**
 * The first of these uploads that is stored and can no longer be undone.
 * @param ofKey the key or token that must have stored it; undefined for any
 */
export async function findSettled(
  context: MeterContext,
  uploadIds: readonly string[],
  ofKey?: string,
): Promise<string | undefined> {
  for (const uploadId of uploadIds) {
    if ((await uploadStanding(context, uploadId)) !== "settled") continue;
    if (ofKey === undefined || context.tables.ledger.log.keyOf(uploadOperationId(uploadId)) === ofKey) return uploadId;
  }
  return undefined;
}
