import { findForeignUploads, findUploads } from "../../db/library/uploads.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { homeShard, isId, type Shard } from "../../domain/ids.ts";
import { payingKey } from "../../domain/principal.ts";
import type { Deletion, Unfinished } from "../../meter/intents/outcomes.ts";
import type { AccountContext } from "../context.ts";

const RETRY_AFTER_SECONDS = 5;

export interface FailedDeletion {
  readonly uploadId: string;
  readonly error: ServiceError;
}

/**
 * Deletes uploads permanently, each separately, with one call to the account's object (DEL-5). Ids that are unknown, another account's, or
 * beyond the month's operations fail as in a single deletion. A deletion that a store's outage interrupts also fails; the object's alarm
 * completes it.
 * @param onlyFrom deletes only uploads that are in the trash, and reports the others (DEL-6)
 * @throws ServiceError 401 if the account is being erased
 */
export async function bulkDelete(
  account: AccountContext,
  ids: readonly string[],
  onlyFrom?: "trash",
): Promise<{ readonly deleted: number; readonly failed: readonly FailedDeletion[] }> {
  const wanted = [...new Set(ids)];
  const rows = await findUploads(account.library, account.accountId, wanted.filter(isId));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const foreign = await listForeign(
    account,
    wanted.filter((id) => isId(id) && !byId.has(id)),
  );
  const keyId = payingKey(account.principal);
  const uploads = wanted.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const { objectKey, sizeBytes } = row;
    return [{ uploadId: id, objectKey, sizeBytes, keyId, ...(onlyFrom && { onlyFrom }) }];
  });
  const answers = uploads.length === 0 ? [] : await account.meter.deleteUploads(uploads);
  const answerOf = new Map(uploads.map(({ uploadId }, at) => [uploadId, answers[at]]));
  const errors = wanted.map((uploadId) => ({
    uploadId,
    error: toError(answerOf.get(uploadId), foreign.has(uploadId)),
  }));
  for (const answer of answers) if ("figures" in answer) account.figures = answer.figures;
  const failed = errors.flatMap(({ uploadId, error }) => (error === undefined ? [] : [{ uploadId, error }]));
  const deleted = wanted.length - failed.length;
  account.operations += deleted;
  return { deleted, failed };
}

/** @throws ServiceError 401 if the account is being erased */
function toError(answer: Deletion | Unfinished | undefined, isForeign: boolean): ServiceError | undefined {
  switch (answer?.outcome) {
    case "deleted":
      return undefined;
    case "kept":
      return ERRORS.ImageNotInTrash();
    case "operations-exhausted":
      return ERRORS.OperationsExhausted(answer.retryAfterSeconds);
    case "unfinished":
      return ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    case "refused":
      throw ERRORS.InvalidSession();
    case "gone":
    case undefined:
      return isForeign ? ERRORS.ForeignImageDelete() : ERRORS.ImageNotFound();
  }
}

/** The ids that belong to other accounts: one query to each shard in which they were created. */
async function listForeign({ libraries, accountId }: AccountContext, ids: readonly string[]): Promise<Set<string>> {
  const byShard = new Map<Shard, string[]>();
  for (const id of ids) {
    const home = homeShard(id);
    if (home === undefined || !libraries.shards.includes(home)) continue;
    byShard.set(home, [...(byShard.get(home) ?? []), id]);
  }
  const found = await Promise.all(
    [...byShard].map(([shard, made]) => findForeignUploads(libraries.open(shard), accountId, made)),
  );
  return new Set(found.flat());
}
