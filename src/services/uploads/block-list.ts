import { isBlocked, listBlockedSizes } from "../../db/directory/takedowns.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { isFileBlocked } from "../../meter/intents/blocked-file.ts";
import type { Services } from "../context.ts";

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

interface Stored {
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** The SHA-256 of the bytes as uploaded, if they lost metadata. */
  readonly uploadedHash: string | undefined;
}

/**
 * Whether the bytes of a stored file are blocked, or its bytes as uploaded: a file without its metadata has the same size. The file is read
 * only if its size may be blocked.
 */
export async function isStoredBlocked(
  services: Stores & Pick<Services, "files">,
  { objectKey, sizeBytes, uploadedHash }: Stored,
): Promise<boolean> {
  if (!(await mayBeBlocked(services, sizeBytes))) return false;
  if (uploadedHash !== undefined && (await isHashBlocked(services, uploadedHash))) return true;
  return isFileBlocked(services, objectKey);
}

/** Whether bytes with this SHA-256 (hexadecimal) are blocked. */
export async function isHashBlocked({ directory }: Pick<Services, "directory">, hash: string): Promise<boolean> {
  return isBlocked(directory, hash);
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
