import { findKeyNames } from "../../db/directory/keys.ts";
import { findHistory } from "../../db/library/file-history.ts";
import { ERRORS } from "../../domain/errors.ts";
import { type HistoryEntry, readHistory } from "../../domain/file-history.ts";
import type { AccountContext } from "../context.ts";

/** Who made a change, by the name that the owner knows. */
interface NamedActor extends NonNullable<HistoryEntry["by"]> {
  /** Of a key, also if it was revoked, or the title of a share; null if there is none. */
  readonly name: string | null;
  readonly isRevoked?: true;
}

export interface NamedEntry extends Omit<HistoryEntry, "by"> {
  readonly by: NamedActor | null;
  /** Of a move; null for Root, and if the folder was deleted. */
  readonly folderName?: string | null;
}

/**
 * The history of an upload, newest first (HIST-1): one statement of the library, one of the directory if a key is named, and one call to the
 * account's object if a guest uploaded the file.
 * @throws ServiceError 404 if the account has no such upload
 */
export async function getHistory(account: AccountContext, uploadId: string): Promise<NamedEntry[]> {
  const found = await findHistory(account.library, account.accountId, uploadId);
  if (found === undefined) throw ERRORS.ImageNotFound();
  const entries = readHistory(found, found.history);
  const nameOf = await readNames(account, entries);
  return entries.map(({ by, ...entry }) => ({
    ...entry,
    by: by && nameOf(by),
    ...(entry.folderId === undefined ? {} : { folderName: found.folderNames[entry.folderId ?? ""] ?? null }),
  }));
}

async function readNames(
  { directory, accountId, meter }: AccountContext,
  entries: readonly HistoryEntry[],
): Promise<(by: NonNullable<HistoryEntry["by"]>) => NamedActor> {
  const idsOf = (wanted: string) => [
    ...new Set(entries.flatMap(({ by }) => (by?.type === wanted && by.id !== null ? [by.id] : []))),
  ];
  const [keys, shares] = await Promise.all([
    findKeyNames(directory, accountId, idsOf("key")),
    Promise.all(idsOf("share").map((id) => meter.findShare(id))),
  ]);
  return (by) => {
    const key = keys.find(({ id }) => id === by.id);
    const name = key?.name ?? shares.find((share) => share?.id === by.id)?.title ?? null;
    return { ...by, name, ...(key?.revokedAt ? { isRevoked: true } : {}) };
  };
}
