import { and, count, desc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { uploadColumns } from "../library/uploads.ts";
import { folders, type Upload, uploads } from "../schema.ts";
import { isSameWalk, type Plan, planListing, planWithoutCounts } from "./plan-listing.ts";
import { type ListingCounts, selectCounts, toCounts } from "./read-counts.ts";
import type { Slice, UploadFilter } from "./upload-filter.ts";
import { taggedSql, type Walk, walkSql } from "./walk-sql.ts";

/** Reads of a library that changes all the time, before one that needs no counts. */
const MAX_ATTEMPTS = 4;

export interface Listing {
  readonly rows: Upload[];
  /** Of all that match, whatever the slice. */
  readonly total: number;
  /** Where the next slice begins; null where this is the last one. */
  readonly next: string | null;
}

type Row = Upload & { readonly position: string };

/**
 * A slice of what matches, newest first, and how many that is in all.
 * @returns undefined where there is no such folder
 */
export async function listUploads(
  db: Db,
  accountId: string,
  filter: UploadFilter,
  slice: Slice,
): Promise<Listing | undefined> {
  const { status: _, folderId: __, tags, excludedTags, ...asked } = filter;
  const asksMore = tags.length + excludedTags.length > 0 || Object.values(asked).some((value) => value !== undefined);
  return asksMore ? listMatches(db, accountId, filter, slice) : listPlace(db, accountId, filter, slice);
}

/** A whole folder, or all folders: its index is known and its total is a count, in one round trip. */
async function listPlace(db: Db, accountId: string, filter: UploadFilter, slice: Slice): Promise<Listing | undefined> {
  const { folderId } = filter;
  const walk = walkSql({ accountId, folderId }, planWithoutCounts(filter), slice.after);
  const [found, counts, rows] = await db.idempotent(() =>
    db.batch([findFolder(db, accountId, folderId), selectCounts(db, accountId, filter), selectRows(db, walk, slice)]),
  );
  if (typeof folderId === "string" && found.length === 0) return undefined;
  return toListing(rows, toCounts(counts).all, slice);
}

/**
 * The counts say which index to walk, and for a single filter they are the total. They are read again with the rows, in
 * one transaction: where they have come to another plan meanwhile, the rows are read anew.
 */
async function listMatches(
  db: Db,
  accountId: string,
  filter: UploadFilter,
  slice: Slice,
): Promise<Listing | undefined> {
  const { folderId } = filter;
  const [found, counts] = await db.idempotent(() =>
    db.batch([findFolder(db, accountId, folderId), selectCounts(db, accountId, filter)]),
  );
  if (typeof folderId === "string" && found.length === 0) return undefined;
  let plan = planListing(filter, toCounts(counts));
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    if (plan === undefined) return { rows: [], total: 0, next: null };
    const read = await readPlanned(db, accountId, filter, slice, plan);
    const latest = planListing(filter, read.counts);
    if (latest !== undefined && isSameWalk(plan, latest)) {
      const { total = read.total, allBut } = latest;
      return toListing(read.rows, allBut === undefined || read.isWhole ? total : Math.max(0, allBut - total), slice);
    }
    plan = latest;
  }
  const { rows, total } = await readPlanned(db, accountId, filter, slice, planWithoutCounts(filter));
  return toListing(rows, total, slice);
}

interface Planned {
  readonly rows: Row[];
  readonly counts: ListingCounts;
  /** All that match, or all that are left out; 0 where the counts tell it. */
  readonly total: number;
  /** The rows are the last ones, and so tell the total. */
  readonly isWhole: boolean;
}

/** Rows and counts as they are at one moment, and the total if these do not tell it. */
async function readPlanned(
  db: Db,
  accountId: string,
  filter: UploadFilter,
  slice: Slice,
  plan: Plan,
): Promise<Planned> {
  const { limit, offset, after } = slice;
  const place = { accountId, folderId: filter.folderId };
  const select = selectRows(db, walkSql(place, plan, after), slice);
  const readCounts = selectCounts(db, accountId, filter);
  const [rows, counts] = await db.idempotent(() => db.batch([select, readCounts]));
  const isWhole = after === undefined && rows.length <= limit && (rows.length > 0 || offset === 0);
  if (plan.total !== undefined || isWhole) {
    return { rows, counts: toCounts(counts), total: isWhole ? offset + rows.length : 0, isWhole };
  }
  const { allBut, statuses, conditions } = plan;
  const counted = allBut === undefined ? walkSql(place, plan) : taggedSql(place, statuses, conditions.excludedTags);
  const [again, latest, totals] = await db.idempotent(() => db.batch([select, readCounts, selectTotal(db, counted)]));
  return { rows: again, counts: toCounts(latest), total: totals[0]?.total ?? 0, isWhole: false };
}

/** No row where there is no such folder; Root and "every folder" are none. */
function findFolder(db: Db, accountId: string, folderId: string | null | undefined) {
  return db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId ?? "")));
}

/** One more than asked for, which tells whether there are more. The offset walks an index; only what is shown is read whole. */
function selectRows(db: Db, { arms, overlapping }: Walk, { limit, offset }: Slice) {
  const merged = sql.join([...arms], overlapping ? sql` UNION ` : sql` UNION ALL `);
  return db
    .select({ ...uploadColumns, position: sql<string>`CAST(${uploads.number} AS TEXT)` })
    .from(uploads)
    .where(inArray(uploads.number, sql`(${merged} ORDER BY listed DESC LIMIT ${limit + 1} OFFSET ${offset})`))
    .orderBy(desc(uploads.number));
}

function selectTotal(db: Db, { arms, overlapping }: Walk) {
  // In order, two arms are merged on the fly; without it SQLite would gather them first.
  const numbers = overlapping
    ? sql`${sql.join([...arms], sql` UNION `)} ORDER BY listed DESC`
    : sql.join([...arms], sql` UNION ALL `);
  return db.select({ total: count() }).from(sql`(${numbers})`);
}

function toListing(rows: readonly Row[], total: number, { limit }: Slice): Listing {
  const shown = rows.slice(0, limit);
  return {
    rows: shown.map(({ position: _, ...upload }) => upload),
    total,
    next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
  };
}
