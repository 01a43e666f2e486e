import { ERRORS } from "../../domain/errors.ts";
import type { Services } from "../context.ts";

/** The object in R2 that names the backup whose restore is in progress. */
export const RESTORE_MARKER = "restore";

type Stores = Pick<Services, "directory" | "files">;

/**
 * Begins the restore of a backup, or continues it.
 * @throws ServiceError 409 if the installation has accounts, or another restore is in progress
 */
export async function beginRestore({ directory, files }: Stores, backup: string): Promise<void> {
  const current = await (await files.get(RESTORE_MARKER))?.text();
  if (current === backup) return;
  const account = await directory.idempotent(() => directory.binding.prepare("SELECT 1 FROM accounts LIMIT 1").first());
  if (current !== undefined || account !== null) throw ERRORS.InstallationNotEmpty();
  await files.put(RESTORE_MARKER, backup);
}

/** Throws unless a restore is in progress, so that an installation in use is never overwritten. @throws ServiceError 409 */
export async function requireRestore({ files }: Pick<Services, "files">): Promise<void> {
  if ((await files.head(RESTORE_MARKER)) === null) throw ERRORS.RestoreNotBegun();
}

export async function endRestore({ files }: Pick<Services, "files">): Promise<void> {
  await files.delete(RESTORE_MARKER);
}
