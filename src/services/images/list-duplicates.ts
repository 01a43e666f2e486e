import { countSame, type HashCount, selectSame, walkHashes } from "../../db/listing/select-duplicates.ts";
import { MAX_COUNTED_DUPLICATES, MAX_LISTED_DUPLICATES } from "../../domain/limits.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, readCursor, toCursor } from "../paging.ts";
import type { Upload } from "../records.ts";
import { takeListingTurn } from "./list-turns.ts";

export interface DuplicateGroup {
  /** Of the stored bytes, hexadecimal. */
  readonly sha256: string;
  readonly count: number;
  /** The size of one file. */
  readonly sizeBytes: number;
  /** The oldest files, the oldest first. */
  readonly uploads: readonly Upload[];
}

/** The entries of the index that one statement reads. */
const STRETCH = 20_000;
/** The statements that walk the index in one request. After them, the page ends with a cursor. */
const MAX_STRETCHES = 5;
/** The hashes whose files one statement counts, at most `MAX_COUNTED_DUPLICATES` rows each. */
const COUNTED_HASHES = 20;
/** The statements that count files in one request. */
const MAX_COUNTS = 10;

/**
 * A page of the groups of active files with the same stored bytes, in the order of their hashes (DUP-1). The work of a request is bounded, so
 * a page may have fewer groups than `limit`, or none, and still have a cursor. A confined caller sees the files of its folder and the folders
 * below it.
 * @throws ServiceError 400 for an invalid cursor, 503 if too many long listings of the account wait
 */
export function listDuplicates(account: AccountContext, query: PageQuery): Promise<Page<DuplicateGroup>> {
  return takeListingTurn(account, () => readGroups(account, query));
}

async function readGroups(account: AccountContext, { limit, cursor }: PageQuery): Promise<Page<DuplicateGroup>> {
  const { library, accountId } = account;
  const owner = { accountId, root: confinementOf(account) };
  const list = { name: "listDuplicates", accountId, filters: { root: owner.root } };
  const [given] = readCursor<[string]>(account, list, cursor) ?? [];
  let after: string | undefined = given ?? "";
  let counts = 0;
  const found: HashCount[] = [];
  for (let stretch = 0; after !== undefined && stretch < MAX_STRETCHES; stretch++) {
    const { hashes, last }: Awaited<ReturnType<typeof walkHashes>> = await walkHashes(library, owner, after, STRETCH);
    after = last ?? undefined;
    for (let at = 0; at < hashes.length; at += COUNTED_HASHES) {
      const some = hashes.slice(at, at + COUNTED_HASHES);
      found.push(...(await countSame(library, owner, some, BOUNDS)));
      counts += 1;
      const isLast = at + COUNTED_HASHES >= hashes.length && last === null;
      if (found.length <= limit && (counts < MAX_COUNTS || isLast)) continue;
      // The rest of the stretch is walked again by the next page.
      const place = found.length > limit ? found[limit - 1]?.hash : some.at(-1);
      return toPage(found.slice(0, limit), place);
    }
  }
  return toPage(found, after);

  async function toPage(groups: readonly HashCount[], place: string | undefined): Promise<Page<DuplicateGroup>> {
    const nextCursor = place === undefined ? null : toCursor(account, list, [place]);
    const uploads = groups.length === 0 ? [] : await selectSame(library, owner, groups);
    const rows = groups.map(({ hash, count, sizeBytes }) => ({
      sha256: hash,
      count,
      sizeBytes,
      uploads: uploads.filter(({ sha256 }) => sha256 === hash),
    }));
    // Files of a group may have been trashed since they were counted.
    return { rows: rows.filter((group) => group.uploads.length > 1), nextCursor };
  }
}

const BOUNDS = { looked: MAX_COUNTED_DUPLICATES, listed: MAX_LISTED_DUPLICATES };
