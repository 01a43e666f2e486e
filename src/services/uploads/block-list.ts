import { isBlocked, listBlockedSizes } from "../../db/directory/takedowns.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
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
