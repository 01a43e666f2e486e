import { eq, type SQL, sql } from "drizzle-orm";
import { type Upload, uploads } from "../library/schema.ts";
import { uploadColumns } from "../library/uploads.ts";
import { findFolder } from "./find-folder.ts";
import type { InTurn } from "./list-uploads.ts";
import { isSameWalk, type Plan, planListing, planWithoutCounts } from "./plan-listing.ts";
import { type ListingCounts, selectCounts, statusesOf, toCounts } from "./read-counts.ts";
import { placeOf, type UploadQuery } from "./select-step.ts";
import { indexRanges, isAfter, keySql, orderSql } from "./sort-sql.ts";
import { comparePositions, type Sorting, type SortPosition } from "./sorting.ts";
import { hasFilters } from "./upload-filter.ts";
import { FREE_STEPS, MAX_UPLOADS } from "./walk-listing.ts";
import { rowShown, stretchSql } from "./walk-sql.ts";

/** A listing in an order of its own (SORT-1). */
export interface SortedQuery extends UploadQuery {
  readonly sorting: Sorting;
  readonly limit: number;
  /** At most `MAX_SORTED_ITEMS` less `limit`. */
  readonly offset: number;
  readonly after?: SortPosition | undefined;
}

export interface SortedListing {
  readonly rows: Upload[];
  readonly total: number;
  readonly next: SortPosition | null;
}

/** Matches are not spread evenly, so the first step reads this many times the average need. */
const MARGIN = 2;
/** A first walk allows for a tenth of the library in the trash. */
const GUESSED_MARGIN = 1.1;
const MAX_ATTEMPTS = 4;

/**
 * Reads a page of the matching uploads in an order other than "newest first", and their total. Few matches are gathered along the index that
 * their filter chooses, and sorted. Many matches are met by a walk along the order's own index, which skips other uploads. The estimate that
 * reads less decides, so that a page of a folder with F of N uploads reads about min(F, N / F x limit) rows. Either way one statement reads
 * at most 20,000 uploads.
 * @returns undefined if the folder does not exist
 */
export async function listSorted(query: SortedQuery, inTurn: InTurn): Promise<SortedListing | undefined> {
  const { library, filter } = query;
  const size = guessSize(query);
  const selects = size === undefined ? [] : selectStep(query, { size, wanted: query.offset + query.limit + 1 });
  const [found, counts, ...answers] = await library.idempotent(() =>
    library.batch([findFolder(library, placeOf(query)), countsOf(query), ...selects]),
  );
  if (typeof filter.folderId === "string" && found.length === 0) return undefined;
  const first = toCounts(counts);
  return (
    (size === undefined ? undefined : toGuessed(query, first, readStep(query, answers, size))) ??
    (await walk(query, first, FREE_STEPS)) ??
    (await inTurn(() => walk(query, first, Number.POSITIVE_INFINITY))) ??
    EMPTY
  );
}

const EMPTY: SortedListing = { rows: [], total: 0, next: null };

/**
 * The uploads that a first walk along the order's index reads beside the counts, so that most pages take one round trip.
 * @returns undefined if the order's index may have few matches
 */
function guessSize({ filter, sorting, offset, limit }: SortedQuery): number | undefined {
  if (hasFilters(filter)) return undefined;
  const wanted = offset + limit + 1;
  if (sorting.by === "createdAt") return wanted;
  if (filter.folderId !== undefined || filter.status === "trash") return undefined;
  return filter.status === "all" ? wanted : Math.ceil(GUESSED_MARGIN * wanted);
}

/** @returns undefined if the first walk did not read enough */
function toGuessed(query: SortedQuery, counts: ListingCounts, step: Step): SortedListing | undefined {
  const total = planListing(query.filter, counts)?.total;
  const isEnough = step.isLast || step.rows.length > query.offset + query.limit;
  return total === undefined || !isEnough ? undefined : toListing(query, step.rows, total);
}

/** @returns undefined if it takes more steps */
async function walk(query: SortedQuery, first: ListingCounts, maxSteps: number): Promise<SortedListing | undefined> {
  let counts = first;
  for (let attempt = 1; ; attempt++) {
    const plan = attempt <= MAX_ATTEMPTS ? planListing(query.filter, counts) : planWithoutCounts(query.filter);
    if (plan === undefined) return EMPTY;
    const outcome = isIndexCheaper(query, plan, counts)
      ? await walkIndex(query, plan, counts, maxSteps)
      : await gather(query, plan, maxSteps);
    if (outcome === undefined || !("replanned" in outcome)) return outcome;
    counts = outcome.replanned;
  }
}

type Outcome = SortedListing | { readonly replanned: ListingCounts } | undefined;

/** The uploads that a walk along the order's index reads on average until it has met enough matches. */
function indexSize({ limit, offset, sorting }: SortedQuery, total: number, { all, library }: ListingCounts): number {
  const walked = sorting.by === "createdAt" ? all : library;
  const margin = total === walked ? 1 : MARGIN;
  return Math.ceil((margin * (limit + offset + 1) * walked) / Math.max(1, total));
}

function isIndexCheaper(query: SortedQuery, { total, pathCount }: Plan, counts: ListingCounts): boolean {
  return total !== undefined && indexSize(query, total, counts) < (pathCount ?? total);
}

async function walkIndex(query: SortedQuery, first: Plan, counts: ListingCounts, maxSteps: number): Promise<Outcome> {
  const { library, filter } = query;
  const wanted = query.offset + query.limit + 1;
  let size = Math.min(MAX_UPLOADS, indexSize(query, first.total ?? counts.all, counts));
  let { after } = query;
  const rows: Placed[] = [];
  for (let step = 0; step < maxSteps; step++) {
    const selects = selectStep({ ...query, after }, { size, wanted: wanted - rows.length });
    const [latest, ...answers] = await library.idempotent(() => library.batch([countsOf(query), ...selects]));
    const plan = planListing(filter, toCounts(latest));
    if (plan?.total === undefined) return { replanned: toCounts(latest) };
    const { rows: found, isLast, last } = readStep(query, answers, size);
    rows.push(...found);
    if (isLast || rows.length >= wanted) return toListing(query, rows, plan.total);
    after = last;
    size = MAX_UPLOADS;
  }
  return undefined;
}

/** Statements that read `size` uploads of each range of the order's index, and return at most `wanted` matches of each. */
function selectStep(query: SortedQuery, { size, wanted }: { readonly size: number; readonly wanted: number }) {
  const scope = { ...placeOf(query), statuses: statusesOf(query.filter.status) };
  return indexRanges(scope, query.sorting, query.after).map((range) => selectAlong(query, range, size, wanted));
}

interface Step {
  readonly rows: readonly Placed[];
  /** The index was read to its end. */
  readonly isLast: boolean;
  /** The end of the part of the index that was read, if the walk continues. */
  readonly last: SortPosition | undefined;
}

/** A range that was read to its end is followed by the next one. */
function readStep({ sorting }: SortedQuery, answers: readonly (readonly Entry[])[], size: number): Step {
  const ended = answers.findIndex((entries) => (entries[0]?.walked ?? 0) >= size);
  const read = ended < 0 ? answers : answers.slice(0, ended + 1);
  return {
    rows: read.flatMap((entries) => toPlaced(entries, sorting)),
    isLast: ended < 0,
    last: toPosition(read.at(-1)?.[0]?.last),
  };
}

/** Walks the filter's own path to its end, and keeps the first rows of the order. */
async function gather(query: SortedQuery, plan: Plan, maxSteps: number): Promise<Outcome> {
  const { library, sorting, filter } = query;
  const wanted = query.offset + query.limit + 1;
  let [after, shown] = [undefined as string | undefined, 0];
  let rows: Placed[] = [];
  for (let step = 0; step < maxSteps; step++) {
    const [latest, entries] = await library.idempotent(() =>
      library.batch([countsOf(query), selectGathered(query, plan, after, wanted)]),
    );
    if (plan.isOfCounts) {
      const current = planListing(filter, toCounts(latest));
      if (current === undefined || !isSameWalk(plan, current)) return { replanned: toCounts(latest) };
    }
    const [figures] = entries;
    rows = [...rows, ...toPlaced(entries, sorting)].sort((a, b) => comparePositions(sorting, a.position, b.position));
    rows.length = Math.min(rows.length, wanted);
    shown += figures?.shown ?? 0;
    if ((figures?.walked ?? 0) < MAX_UPLOADS) return toListing(query, rows, shown);
    after = figures?.last;
  }
  return undefined;
}

interface Placed {
  readonly upload: Upload;
  readonly position: SortPosition;
}

interface Entry {
  readonly walked: number;
  readonly last: string | null;
  readonly upload: Upload | null;
  readonly position: string | null;
}

function toPlaced(entries: readonly Entry[], sorting: Sorting): Placed[] {
  return entries
    .flatMap(({ upload, position }) => {
      const place = toPosition(position);
      return upload === null || place === undefined ? [] : [{ upload, position: place }];
    })
    .sort((a, b) => comparePositions(sorting, a.position, b.position));
}

function toPosition(text: string | null | undefined): SortPosition | undefined {
  return text ? (JSON.parse(text) as SortPosition) : undefined;
}

function toListing({ limit, offset }: SortedQuery, rows: readonly Placed[], total: number): SortedListing {
  const shown = rows.slice(offset, offset + limit);
  const next = rows.length > offset + limit ? (shown.at(-1)?.position ?? null) : null;
  return { rows: shown.map(({ upload }) => upload), total, next };
}

function countsOf({ library, accountId, filter }: SortedQuery) {
  return selectCounts(library, accountId, filter, true);
}

/** The matches among the first `size` uploads of an index's range, at most `wanted`. `last` is the end of the part that was read, if the walk continues. */
function selectAlong(query: SortedQuery, range: SQL, size: number, wanted: number) {
  const { sorting, filter } = query;
  const shown = rowShown(placeOf(query), planWithoutCounts(filter));
  const order = orderSql(sql`key`, sql`listed`, sorting);
  const reverse = orderSql(sql`key`, sql`listed`, { ...sorting, order: sorting.order === "asc" ? "desc" : "asc" });
  return select(
    query,
    sql`(
    WITH stretch AS MATERIALIZED (
      SELECT p.listed AS listed, p.key AS key, ${shown} AS shown
      FROM (SELECT * FROM (${range}) LIMIT ${size}) AS p CROSS JOIN uploads AS u ON u.number = p.listed
    ), figures AS MATERIALIZED (
      SELECT count(*) AS walked, total(shown) AS shown FROM stretch
    )
    SELECT figures.walked, figures.shown, found.listed, found.key, iif(
      figures.walked < ${size} OR figures.shown >= ${wanted}, NULL,
      (SELECT ${positionSql} FROM stretch ORDER BY ${reverse} LIMIT 1)
    ) AS last
    FROM figures LEFT JOIN (SELECT listed, key FROM stretch WHERE shown ORDER BY ${order} LIMIT ${wanted}) AS found
  ) AS step`,
  );
}

/** The first matches of the order after the query's position, in a stretch of the plan's path, and the stretch's figures. */
function selectGathered(query: SortedQuery, plan: Plan, after: string | undefined, wanted: number) {
  const { sorting } = query;
  const key = keySql("k", sorting);
  return select(
    query,
    sql`(
    WITH stretch AS MATERIALIZED (${stretchSql(placeOf(query), plan, { after, size: MAX_UPLOADS })}),
    figures AS MATERIALIZED (
      SELECT count(*) AS walked, total(shown) AS shown, CAST(min(listed) AS TEXT) AS last FROM stretch
    )
    SELECT figures.walked, figures.shown, figures.last, found.listed, found.key
    FROM figures LEFT JOIN (
      SELECT stretch.listed AS listed, ${key} AS key FROM stretch CROSS JOIN uploads AS k ON k.number = stretch.listed
      WHERE stretch.shown AND ${isAfter(key, sql`k.number`, sorting, query.after)}
      ORDER BY ${orderSql(key, sql`k.number`, sorting)} LIMIT ${wanted}
    ) AS found
  ) AS step`,
  );
}

const positionSql = sql`json_array(key, CAST(listed AS TEXT))`;

function select({ library }: SortedQuery, step: SQL) {
  return library
    .select({
      walked: sql<number>`step.walked`,
      shown: sql<number>`step.shown`,
      last: sql<string>`step.last`,
      position: sql<string | null>`json_array(step.key, CAST(step.listed AS TEXT))`,
      upload: uploadColumns,
    })
    .from(step)
    .leftJoin(uploads, eq(uploads.number, sql`step.listed`));
}
