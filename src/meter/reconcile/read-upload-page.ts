import { type ComparedRow, listComparedRows } from "../../db/library/compare/list-rows.ts";
import { firstIdAt, idTime, isId } from "../../domain/ids.ts";
import { accountPrefix, parseObjectKey, previewPrefix } from "../../domain/object-key.ts";
import type { AccountBooks } from "../account-books.ts";
import type { IntentStores } from "../intent-stores.ts";

/** R2 lists at most this many objects in one call; of rows and of the log there are about as many in the same time. */
const R2_PAGE = 1000;
const ROWS_PAGE = 2000;

/** What every store has of one upload. */
export interface UploadFacts {
  readonly uploadId: string;
  readonly files: R2Object[];
  thumbnail?: R2Object;
  hasPreview?: boolean;
  row?: ComparedRow;
}

export interface UploadPage {
  readonly uploads: readonly UploadFacts[];
  /** Keys below the account's prefix that are none of ours. */
  readonly foreign: readonly string[];
  /** The next page's `fromAt`; null where this is the last. */
  readonly next: number | null;
}

/**
 * What R2, D1, the log and the figures have of the uploads of a stretch of time, which ends where the first of them has a page full. Ids
 * begin with their time, so that objects, rows and log are in the same order: memory does not grow with the library, and a page costs a
 * bounded number of calls.
 */
export async function readUploadPage(stores: IntentStores, books: AccountBooks, fromAt: number): Promise<UploadPage> {
  const fromId = firstIdAt(fromAt);
  const listed = await listObjects(stores, fromId);
  const end = new PageEnd(listed.endAt);
  const { rows, endAt } = await listComparedRows(stores.library, stores.accountId, {
    fromAt,
    beforeAt: end.at,
    limit: ROWS_PAGE,
  });
  end.comesAt(endAt);
  const logged = books.ledger.log.listStored(fromId, end.id, ROWS_PAGE);
  if (logged.length === ROWS_PAGE) end.comesAt(timeOf(logged.at(-1)));
  const counted = books.thumbnails.list(fromId, end.id, ROWS_PAGE);
  if (counted.length === ROWS_PAGE) end.comesAt(timeOf(counted.at(-1)));

  // Where all of a page is of one moment, the page is that moment.
  const next = end.at === null ? null : Math.max(end.at, fromAt + 1);
  const isMeant = (at: number) => at >= fromAt && (next === null || at < next);
  const uploads = new Map<string, UploadFacts>();
  const of = (uploadId: string): UploadFacts => {
    const facts = uploads.get(uploadId) ?? { uploadId, files: [] };
    uploads.set(uploadId, facts);
    return facts;
  };
  for (const [uploadId, object] of listed.files) if (isMeant(idTime(uploadId))) of(uploadId).files.push(object);
  for (const [uploadId, object] of listed.thumbnails) if (isMeant(idTime(uploadId))) of(uploadId).thumbnail = object;
  for (const uploadId of listed.previews) if (isMeant(idTime(uploadId))) of(uploadId).hasPreview = true;
  for (const row of rows) if (isMeant(row.createdAt)) of(row.id).row = row;
  for (const uploadId of [...logged, ...counted]) if (isMeant(idTime(uploadId))) of(uploadId);
  return { uploads: [...uploads.values()], foreign: next === null ? listed.foreign : [], next };
}

interface ListedObjects {
  /** By the id of their upload, in order. */
  readonly files: readonly (readonly [string, R2Object])[];
  readonly thumbnails: readonly (readonly [string, R2Object])[];
  /** The ids of their uploads. */
  readonly previews: readonly string[];
  readonly foreign: readonly string[];
  /** From here on there may be more; null where these are all. */
  readonly endAt: number | null;
}

async function listObjects(stores: IntentStores, fromId: string): Promise<ListedObjects> {
  const stored = await listStored(stores, fromId);
  const made = await listPreviews(stores, fromId);
  const end = new PageEnd(stored.endAt);
  end.comesAt(made.endAt);
  return { ...stored, previews: made.ids, foreign: [...stored.foreign, ...made.foreign], endAt: end.at };
}

async function listPreviews({ accountId, files }: IntentStores, fromId: string) {
  const prefix = previewPrefix(accountId);
  const { objects, truncated } = await files.list({ prefix, startAfter: prefix + fromId, limit: R2_PAGE });
  const names = objects.map(({ key }) => key.slice(prefix.length));
  const ids = names.filter(isId);
  const foreign = names.filter((name) => !isId(name)).map((name) => prefix + name);
  return { ids, foreign, endAt: truncated ? timeOf(ids.at(-1)) : null };
}

/** Thumbnails come behind all files: a listing that ends has them all, and one that does not is followed by one of theirs. */
async function listStored(
  { accountId, files }: IntentStores,
  fromId: string,
): Promise<Omit<ListedObjects, "previews">> {
  const prefix = accountPrefix(accountId);
  const all = await files.list({ prefix, startAfter: prefix + fromId, limit: R2_PAGE });
  const sorted = sort(accountId, all.objects);
  if (!all.truncated) return { ...sorted, endAt: null };
  const startAfter = `${prefix}thumbs/${fromId}`;
  const thumbs = await files.list({ prefix: `${prefix}thumbs/`, startAfter, limit: R2_PAGE });
  const { thumbnails } = sort(accountId, thumbs.objects);
  const end = new PageEnd(null);
  if (sorted.thumbnails.length === 0) end.comesAt(timeOf(sorted.files.at(-1)?.[0]));
  if (thumbs.truncated) end.comesAt(timeOf(thumbnails.at(-1)?.[0]));
  return { ...sorted, thumbnails, endAt: end.at };
}

function sort(accountId: string, objects: readonly R2Object[]): Omit<ListedObjects, "endAt" | "previews"> {
  const [files, thumbnails]: [string, R2Object][][] = [[], []];
  const foreign: string[] = [];
  for (const object of objects) {
    const parts = parseObjectKey(object.key);
    if (parts?.accountId !== accountId || !isId(parts.uploadId)) foreign.push(object.key);
    else (parts.kind === "file" ? files : thumbnails)?.push([parts.uploadId, object]);
  }
  return { files: files ?? [], thumbnails: thumbnails ?? [], foreign };
}

function timeOf(uploadId: string | undefined): number | null {
  return uploadId === undefined ? null : idTime(uploadId);
}

/** The moment at which a page ends: the earliest of those at which a store's page does. */
class PageEnd {
  #at: number | null;

  constructor(at: number | null) {
    this.#at = at;
  }

  get at(): number | null {
    return this.#at;
  }

  get id(): string | null {
    return this.#at === null ? null : firstIdAt(this.#at);
  }

  comesAt(at: number | null): void {
    if (at !== null) this.#at = Math.min(this.#at ?? at, at);
  }
}
