import type { QueryClient } from "@tanstack/react-query";
import type { ImageFilter } from "../../../client/index.ts";
import { api } from "../client.ts";
import { cachedPages, type ImageSlots, LEAP, PAGE_ITEMS, toSlots } from "./image-slots.ts";

interface Reading {
  readonly client: QueryClient;
  /** Reads a page of an order through the cache. */
  readonly read: (filter: ImageFilter, number: number) => Promise<ImageSlots>;
  readonly signal: AbortSignal;
}

/** The service counts this many pages from the start of an order, or from a cursor in it (SORT-1). */
const LEAP_PAGES = 10;

/**
 * Reads a page of an order other than "newest first". Pages behind the first thousand files need a cursor, and a cursor is found by leaps of a
 * thousand files. The reverse order has the same files, so leaps begin at the nearer end; "oldest first" needs none. Files without a time are
 * last in both orders of `takenAt`, which therefore has no reverse.
 * @throws MediaHostError; the signal's reason
 */
export async function readSortedPage(reading: Reading, filter: ImageFilter, number: number): Promise<ImageSlots> {
  const { signal } = reading;
  if (number < LEAP_PAGES) return readPage(filter, number, undefined, signal);
  if (filter.sort !== "takenAt") {
    const total = await readTotal(reading, filter);
    if (filter.sort === "createdAt" || 2 * number * PAGE_ITEMS > total)
      return readReversed(reading, filter, number, total);
  }
  const cursor = await readCursor(reading, filter, Math.floor(number / LEAP_PAGES));
  if (cursor === null) return { items: [], total: await readTotal(reading, filter) };
  return readPage(filter, number % LEAP_PAGES, cursor, signal);
}

async function readPage(filter: ImageFilter, number: number, cursor: string | undefined, signal: AbortSignal) {
  const page = { limit: PAGE_ITEMS, page: number + 1, ...(cursor !== undefined && { cursor }) };
  return toSlots(await api.imagePage({ ...filter, ...page }, { signal }));
}

async function readTotal({ client, read }: Reading, filter: ImageFilter): Promise<number> {
  const [known] = cachedPages(client, filter).values();
  return known?.total ?? (await read(filter, 0)).total;
}

/** Reads the page from the other end. */
async function readReversed(reading: Reading, filter: ImageFilter, number: number, total: number): Promise<ImageSlots> {
  const start = total - (number + 1) * PAGE_ITEMS;
  const from = Math.max(0, start);
  const end = total - number * PAGE_ITEMS;
  if (end <= from) return { items: [], total };
  const reverse = reversed(filter);
  const first = Math.floor(from / PAGE_ITEMS);
  const last = Math.floor((end - 1) / PAGE_ITEMS);
  const pages = await Promise.all(
    (first === last ? [first] : [first, last]).map((page) => reading.read(reverse, page)),
  );
  const now = pages[0]?.total ?? total;
  // Files have come or gone since the total was read, so the page is elsewhere.
  if (now !== total) return readReversed(reading, filter, number, now);
  const items = pages.flatMap(({ items: found }) => found).slice(from - first * PAGE_ITEMS, end - first * PAGE_ITEMS);
  return { items: items.reverse(), total };
}

function reversed({ sort, order, ...filter }: ImageFilter): ImageFilter {
  if (sort === "createdAt") return filter;
  return { ...filter, sort, order: order === "asc" ? "desc" : "asc" };
}

/** The cursor after a number of leaps; null if the order has fewer files. */
async function readCursor({ client, signal }: Reading, filter: ImageFilter, leaps: number): Promise<string | null> {
  const keyOf = (leap: number) => ["images", filter, LEAP, leap];
  let known = leaps;
  while (known > 0 && client.getQueryState(keyOf(known))?.status !== "success") known -= 1;
  let cursor = client.getQueryData<string | null>(keyOf(known)) ?? null;
  if (known > 0 && cursor === null) return null;
  for (let leap = known + 1; leap <= leaps; leap += 1) {
    signal.throwIfAborted();
    const from = cursor;
    cursor = await client.fetchQuery({
      queryKey: keyOf(leap),
      queryFn: () => leapFrom(filter, from),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 120_000,
    });
    if (cursor === null) return null;
  }
  return cursor;
}

async function leapFrom(filter: ImageFilter, cursor: string | null): Promise<string | null> {
  const page = { limit: PAGE_ITEMS, page: LEAP_PAGES, ...(cursor !== null && { cursor }) };
  return (await api.imagePage({ ...filter, ...page })).pagination.nextCursor;
}
