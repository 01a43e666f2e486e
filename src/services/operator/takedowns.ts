import {
  endTakedown,
  findTakedown,
  type ListedTakedown,
  listTakedowns as list,
  listExpiredTakedowns,
} from "../../db/directory/takedowns.ts";
import { findOwner } from "../../db/library/takedowns.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import { findAddressedFile } from "../../domain/file-address.ts";
import { homeShard, isId, newId } from "../../domain/ids.ts";
import { quarantineKey } from "../../domain/takedown.ts";
import type { StoredTakedown } from "../../meter/books/takedown-store.ts";
import type { Services } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

const DEFAULT_KEEP_DAYS = 30;
/** The most kept bytes, in files, that one night destroys; the next night continues. */
const MAX_EXPIRED = 500;

type Stores = Pick<Services, "directory" | "libraries" | "files" | "meterOf" | "now">;

export interface TakedownWish {
  /** A file's URL or an upload's id. */
  readonly file: string;
  readonly reason: string;
  /** The actor, as in the audit log. */
  readonly actor: string;
  /** Days for which the bytes are kept; 0 destroys them. */
  readonly keepDays?: number | undefined;
}

/**
 * Takes a file and its variants down at once, and blocks its bytes on upload within a minute.
 * @returns the takedown; the first one if the file was taken down before
 * @throws ServiceError 404
 */
export async function takeDownFile(
  services: Stores,
  { file, reason, actor, keepDays = DEFAULT_KEEP_DAYS }: TakedownWish,
): Promise<StoredTakedown & { readonly accountId: string }> {
  const { accountId, uploadId } = await findFile(services, file);
  const now = services.now();
  const keepUntil = keepDays === 0 ? null : now + keepDays * DAY_MS;
  const answer = await services.meterOf(accountId).takeDown({ id: newId(now), uploadId, reason, keepUntil, actor });
  if (answer.outcome !== "taken-down") throw ERRORS.ImageNotFound();
  return { accountId, ...answer.takedown };
}

/** @throws ServiceError 404 */
async function findFile(
  { libraries }: Pick<Services, "libraries">,
  file: string,
): Promise<{ readonly accountId: string; readonly uploadId: string }> {
  const addressed = findAddressedFile(file);
  if (addressed !== undefined && isId(addressed.accountId) && isId(addressed.uploadId)) return addressed;
  const shard = isId(file) ? homeShard(file) : undefined;
  if (shard === undefined || !libraries.shards.includes(shard)) throw ERRORS.ImageNotFound();
  const accountId = await findOwner(libraries.open(shard), file);
  if (accountId === undefined) throw ERRORS.ImageNotFound();
  return { accountId, uploadId: file };
}

/** Takedowns, newest first (OPER-18). @param file a file's URL or an upload's id: only takedowns of this file */
export async function listTakedowns(
  services: Pick<Services, "directory" | "config">,
  { file, ...query }: PageQuery & { readonly file?: string | undefined },
): Promise<Page<ListedTakedown>> {
  const uploadId = file === undefined ? undefined : (findAddressedFile(file)?.uploadId ?? file.toLowerCase());
  return readPage(services, query, {
    list: { name: "listTakedowns", filters: { uploadId } },
    read: (after: [id: string] | undefined, limit) => list(services.directory, { before: after?.[0], uploadId, limit }),
    positionOf: ({ id }) => [id],
  });
}

/**
 * Ends a takedown. The file is served again if its bytes were kept; if its owner has deleted the upload, only the block of its bytes ends.
 * @returns whether the file is served again
 * @throws ServiceError 404; 409 if the bytes are destroyed
 */
export async function restoreTakedown(services: Stores, id: string): Promise<boolean> {
  const { directory, files, meterOf, now } = services;
  const takedown = await findTakedown(directory, id);
  if (takedown === undefined) throw ERRORS.TakedownNotFound();
  if (takedown.state === "restored") return true;
  const { outcome } = await meterOf(takedown.accountId).restoreFile(takedown.uploadId, id);
  if (outcome === "restored") return true;
  if (outcome === "destroyed") throw ERRORS.BytesDestroyed();
  await files.delete(quarantineKey(id));
  await endTakedown(directory, id, { state: "destroyed", at: now(), unblock: true });
  return false;
}

/** Destroys expired kept bytes. Their hashes stay blocked. Each step can be repeated. */
export async function destroyExpired({
  directory,
  files,
  now,
}: Pick<Stores, "directory" | "files" | "now">): Promise<void> {
  for (const { id } of await listExpiredTakedowns(directory, now(), MAX_EXPIRED)) {
    await files.delete(quarantineKey(id));
    await endTakedown(directory, id, { state: "destroyed", at: now(), unblock: false });
  }
}
