import { isBlocked, listBlockedSizes } from "../../db/directory/takedowns.ts";
import type { Upload } from "../../db/library/schema.ts";
import { findSameBytes, type SameBytes } from "../../db/library/uploads.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import { keyOfOwnUploads } from "../../domain/principal.ts";
import type { AccountContext, Services } from "../context.ts";
import { reachesFolder } from "../folders/resolve-folder.ts";
import { RETRY_AFTER_SECONDS } from "./receive/upload-memory.ts";
import type { StoredFile } from "./store/identify-file.ts";
import type { UploadRun } from "./upload-run.ts";

/** A file's bytes are stored already, so the upload is that file (UP-14). */
export class DuplicateFound extends Error {
  readonly upload: Upload;

  constructor(upload: Upload) {
    super("The bytes are stored already");
    this.upload = upload;
  }
}

/**
 * The oldest active upload with these bytes, as stored or as uploaded, that the caller may learn of: a confined caller reaches its folder, and
 * a key that can only upload, or an upload token, knows its own uploads.
 * @param wanted.sha256 of the bytes as uploaded, hexadecimal
 * @param wanted.visibility of the upload that the request wants. A file of the other visibility would be open to everybody, or to nobody.
 */
export async function findDuplicate(account: AccountContext, wanted: SameBytes): Promise<Upload | undefined> {
  const { library, accountId, meter, principal } = account;
  const found = await findSameBytes(library, accountId, wanted);
  const reached: string[] = [];
  for (const { id, folderId } of found) {
    if (await reachesFolder(account, folderId)) reached.push(id);
  }
  if (reached.length === 0) return undefined;
  // An upload in progress may still be undone.
  const settled = await meter.findSettled(reached, keyOfOwnUploads(principal));
  if (settled === undefined) return undefined;
  // An upload that was undone since the first read looks settled, because its intents have ended. It has no row any more.
  return (await findSameBytes(library, accountId, wanted)).find(({ id }) => id === settled);
}

/** @throws DuplicateFound if the request has the option `dedupe` and the bytes are stored */
export async function refuseDuplicate(
  { account, options }: Pick<UploadRun, "account" | "options">,
  wanted: SameBytes,
): Promise<void> {
  const found = options.dedupe ? await findDuplicate(account, wanted) : undefined;
  if (found !== undefined) throw new DuplicateFound(found);
}

/** The SHA-256 of a file's bytes as uploaded; null if it is unknown. */
export function uploadedHash({ sha256, uploadedSha256 }: Pick<StoredFile, "sha256" | "uploadedSha256">): string | null {
  return uploadedSha256 ?? sha256;
}

/** Other requests have all their bytes, so they need only the service's own time. */
export const MAX_CLAIM_WAIT_MS = 20_000;
const ASK_AGAIN_MS = 200;

/**
 * Waits until no other request of the account stores one of these bytes. From then on, other requests wait for this one, until its uploads are
 * settled or undone. All of them are claimed at once or none, so that no two requests wait for each other.
 * @throws ServiceError 503 if that takes too long
 */
export async function claimBytes(
  { meter, now }: AccountContext,
  claims: readonly { readonly uploadId: string; readonly sha256: string }[],
): Promise<void> {
  for (const endsAt = now() + MAX_CLAIM_WAIT_MS; !(await meter.claimBytes(claims)); ) {
    if (now() >= endsAt) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** The most sizes that are held. If there are more, every size counts as blocked, and the directory decides for each upload. */
const MAX_SIZES = 50_000;

interface Copy {
  readonly sizes: ReadonlySet<number> | "all";
  readonly readAt: number;
}

type Stores = Pick<Services, "directory" | "now">;

/**
 * The sizes of blocked files, at most a minute old: an upload of another size cannot be blocked, so it needs neither a hash nor a query.
 * A newly blocked file is refused after a minute at the latest.
 */
let copy: Copy | undefined;

/**
 * Whether bytes of this length may be blocked.
 * @throws Error if the directory cannot be read
 */
export async function mayBeBlocked(stores: Stores, sizeBytes: number): Promise<boolean> {
  const { sizes } = await currentCopy(stores);
  return sizes === "all" || sizes.has(sizeBytes);
}

/**
 * Refuses a file whose bytes the operator has blocked (OPER-5). The directory is asked only if a blocked file has the size.
 * @param hashes SHA-256 of the bytes, hexadecimal: as stored and as uploaded, because a file without its metadata has the same size
 * @throws ServiceError 415; Error if the directory cannot be read
 */
export async function refuseBlocked(
  stores: Stores,
  sizeBytes: number,
  hashes: readonly (string | null)[],
): Promise<void> {
  if (!(await mayBeBlocked(stores, sizeBytes))) return;
  for (const hash of hashes)
    if (hash !== null && (await isBlocked(stores.directory, hash))) throw ERRORS.ContentBlocked();
}

async function currentCopy(stores: Stores): Promise<Copy> {
  const now = stores.now();
  if (copy !== undefined && now >= copy.readAt && now - copy.readAt < MINUTE_MS) return copy;
  // Another request's promise is not awaited: its I/O ends with that request.
  copy = await read(stores, now);
  return copy;
}

async function read({ directory }: Stores, readAt: number): Promise<Copy> {
  const sizes = await listBlockedSizes(directory, MAX_SIZES + 1);
  return { sizes: sizes.length > MAX_SIZES ? "all" : new Set(sizes), readAt };
}

/** Forgets the copy, for tests. */
export function forgetBlockList(): void {
  copy = undefined;
}
