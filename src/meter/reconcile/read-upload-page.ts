import { type ComparedRow, listComparedRows } from "../../db/library/compare/list-rows.ts";
import { firstIdAt, idTime, isId, type Shard } from "../../domain/ids.ts";
import {
  accountPrefix,
  accountVariantsPrefix,
  everyKey,
  movedPrefix,
  parseObjectKey,
  previewPrefix,
  toPath,
} from "../../domain/object-key.ts";
import type { RecordedVariants } from "../../domain/variants/made-variants.ts";
import type { AccountTables } from "../account/account-tables.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import { findUnknownAtHome } from "./unknown-at-home.ts";

/** R2 lists at most this many objects per call. A page of rows and of the log takes about the same time. */
const R2_PAGE = 1000;
const ROWS_PAGE = 2000;

/** The traces of one upload in every store. */
export interface UploadTraces {
  readonly uploadId: string;
  readonly files: R2Object[];
  readonly thumbnails: R2Object[];
  /** The versions (`versionOf`) that have a preview. */
  readonly previews: string[];
  /** The versions that have variants. */
  readonly variants: string[];
  /** The object that leads earlier URLs to the present one. */
  pointer?: R2Object;
  row?: ComparedRow;
  /** The upload's home shard, if the library has left it and it has no record of the upload. */
  unknownAt?: Shard;
}

export interface UploadPage {
  readonly uploads: readonly UploadTraces[];
  /** The files whose variants are recorded. */
  readonly recorded: readonly RecordedVariants[];
  /** Keys with the account's prefix that the service does not make. */
  readonly foreign: readonly string[];
  /** The next page's `fromAt`; null on the last page. */
  readonly next: number | null;
}

/**
 * Reads the uploads of a period from R2, D1, the log and the figures. The period ends at the first store with a full page. Ids begin with
 * their time, so objects, rows and log are in the same order: memory does not grow with the library, and a page costs a bounded number of
 * calls.
 */
export async function readUploadPage(
  stores: AccountStores,
  tables: AccountTables,
  fromAt: number,
): Promise<UploadPage> {
  const fromId = firstIdAt(fromAt);
  const listed = await listObjects(stores, fromId);
  const end = new PageEnd(listed.endAt);
  const { rows, endAt } = await listComparedRows(stores.library, stores.accountId, {
    fromAt,
    beforeAt: end.at,
    limit: ROWS_PAGE,
  });
  end.comesAt(endAt);
  const logged = tables.ledger.log.listStored(fromId, end.id, ROWS_PAGE);
  if (logged.length === ROWS_PAGE) end.comesAt(timeOf(logged.at(-1)));
  const counted = tables.thumbnails.list(fromId, end.id, ROWS_PAGE);
  if (counted.length === ROWS_PAGE) end.comesAt(timeOf(counted.at(-1)));
  const recorded = await stores.variants.list(fromId, end.id);
  if (recorded.length >= R2_PAGE) end.comesAt(timeOf(uploadIdOf(recorded.at(-1)?.version)));

  // If a whole page has the same time, the page is that time.
  const next = end.at === null ? null : Math.max(end.at, fromAt + 1);
  const isMeant = (at: number) => at >= fromAt && (next === null || at < next);
  const uploads = new Map<string, UploadTraces>();
  const of = (uploadId: string): UploadTraces => {
    const facts = uploads.get(uploadId) ?? { uploadId, files: [], thumbnails: [], previews: [], variants: [] };
    uploads.set(uploadId, facts);
    return facts;
  };
  for (const [uploadId, object] of listed.files) if (isMeant(idTime(uploadId))) of(uploadId).files.push(object);
  for (const [uploadId, object] of listed.thumbnails)
    if (isMeant(idTime(uploadId))) of(uploadId).thumbnails.push(object);
  for (const [uploadId, version] of listed.previews) if (isMeant(idTime(uploadId))) of(uploadId).previews.push(version);
  for (const [uploadId, version] of listed.variants) if (isMeant(idTime(uploadId))) of(uploadId).variants.push(version);
  for (const [uploadId, object] of listed.pointers) if (isMeant(idTime(uploadId))) of(uploadId).pointer = object;
  for (const row of rows) if (isMeant(row.createdAt)) of(row.id).row = row;
  for (const uploadId of [...logged, ...counted]) if (isMeant(idTime(uploadId))) of(uploadId);
  const withRow = [...uploads.values()].flatMap(({ uploadId, row }) => (row === undefined ? [] : [uploadId]));
  for (const [uploadId, shard] of await findUnknownAtHome(stores, withRow)) of(uploadId).unknownAt = shard;
  const isRecorded = ({ version }: RecordedVariants) => isMeant(idTime(uploadIdOf(version)));
  return {
    uploads: [...uploads.values()],
    recorded: recorded.filter(isRecorded),
    foreign: next === null ? listed.foreign : [],
    next,
  };
}

interface ListedObjects {
  /** Sorted by the id of their upload. */
  readonly files: readonly (readonly [string, R2Object])[];
  readonly thumbnails: readonly (readonly [string, R2Object])[];
  /** The ids of the uploads, and the versions. */
  readonly previews: readonly Version[];
  readonly variants: readonly Version[];
  readonly pointers: readonly (readonly [string, R2Object])[];
  readonly foreign: readonly string[];
  /** There may be more from this time on; null if the list is complete. */
  readonly endAt: number | null;
}

async function listObjects(stores: AccountStores, fromId: string): Promise<ListedObjects> {
  const stored = await listStored(stores, fromId);
  const previews = await listPreviews(stores, fromId);
  const variants = await listVariants(stores, fromId);
  const { pointers, ...moved } = await listPointers(stores, fromId);
  const end = new PageEnd(stored.endAt);
  for (const { endAt } of [previews, variants, moved]) end.comesAt(endAt);
  const foreign = [stored, previews, variants, moved].flatMap((found) => found.foreign);
  return { ...stored, previews: previews.versions, variants: variants.versions, pointers, foreign, endAt: end.at };
}

async function listPointers({ accountId, files }: AccountStores, fromId: string) {
  const prefix = movedPrefix(accountId);
  const { objects, truncated } = await files.list({ prefix, startAfter: prefix + fromId, limit: R2_PAGE });
  const named = objects.map((object) => [object.key.slice(prefix.length), object] as const);
  const pointers = named.filter(([uploadId]) => isId(uploadId));
  return {
    pointers,
    foreign: named.filter(([uploadId]) => !isId(uploadId)).map(([, { key }]) => key),
    endAt: truncated ? timeOf(pointers.at(-1)?.[0]) : null,
  };
}

async function listPreviews({ accountId, files }: AccountStores, fromId: string) {
  const prefix = previewPrefix(accountId);
  const { objects, truncated } = await files.list({ prefix, startAfter: prefix + fromId, limit: R2_PAGE });
  const names = objects.map(({ key }) => key.slice(prefix.length));
  const { versions, others } = toVersions(names);
  return {
    versions,
    foreign: others.map((name) => prefix + name),
    endAt: truncated ? timeOf(versions.at(-1)?.[0]) : null,
  };
}

type Version = readonly [uploadId: string, version: string];

function uploadIdOf(version = ""): string {
  return version.replace(/\.[0-9a-z]{8}$/, "");
}

/** Separates the names that begin with an upload's id, perhaps with the version of its bytes (`versionOf`), from all other names. */
function toVersions(names: readonly string[]): { readonly versions: Version[]; readonly others: string[] } {
  const versions = names.map((name): Version => [uploadIdOf(name), name]);
  return {
    versions: versions.filter(([uploadId]) => isId(uploadId)),
    others: versions.filter(([uploadId]) => !isId(uploadId)).map(([, name]) => name),
  };
}

/** Lists the folders of variants, one for each upload. */
async function listVariants({ accountId, files }: AccountStores, fromId: string) {
  const prefix = accountVariantsPrefix(accountId);
  const startAfter = prefix + fromId;
  const { delimitedPrefixes, objects, truncated } = await files.list({
    prefix,
    startAfter,
    delimiter: "/",
    limit: R2_PAGE,
  });
  const names = delimitedPrefixes.map((path) => path.slice(prefix.length, -1));
  const { versions, others } = toVersions(names);
  const foreign = [...others.map((name) => `${prefix}${name}/`), ...objects.map(({ key }) => key)];
  return { versions, foreign, endAt: truncated ? timeOf(versions.at(-1)?.[0]) : null };
}

type StoredObjects = Omit<ListedObjects, "previews" | "variants" | "pointers">;

/** Lists public and private objects. */
async function listStored(stores: AccountStores, fromId: string): Promise<StoredObjects> {
  const end = new PageEnd(null);
  const listed: StoredObjects[] = [];
  for (const prefix of everyKey(accountPrefix(stores.accountId))) {
    const found = await listBelow(prefix, stores, fromId);
    end.comesAt(found.endAt);
    listed.push(found);
  }
  return {
    files: listed.flatMap(({ files }) => files),
    thumbnails: listed.flatMap(({ thumbnails }) => thumbnails),
    foreign: listed.flatMap(({ foreign }) => foreign),
    endAt: end.at,
  };
}

/** Keys of thumbnails sort after all files. A complete listing contains them; otherwise they are listed separately. */
async function listBelow(prefix: string, { accountId, files }: AccountStores, fromId: string): Promise<StoredObjects> {
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

function sort(accountId: string, objects: readonly R2Object[]): Omit<StoredObjects, "endAt"> {
  const [files, thumbnails]: [string, R2Object][][] = [[], []];
  const foreign: string[] = [];
  for (const object of objects) {
    const parts = parseObjectKey(toPath(object.key).path);
    if (parts?.accountId !== accountId || !isId(parts.uploadId)) foreign.push(object.key);
    else (parts.kind === "file" ? files : thumbnails)?.push([parts.uploadId, object]);
  }
  return { files: files ?? [], thumbnails: thumbnails ?? [], foreign };
}

function timeOf(uploadId: string | undefined): number | null {
  return uploadId === undefined ? null : idTime(uploadId);
}

/** The end of a page: the earliest end of the stores' pages. */
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
