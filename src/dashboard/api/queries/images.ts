import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { ImageFilter, ImagePage, MediaObject } from "../../../client/index.ts";
import { api } from "../client.ts";

/** As many as the service gives at once. */
export const PAGE_ITEMS = 100;

/** A page of a listing. A slot is undefined where a change has left a hole, until it is asked for again. */
export interface ImageSlots {
  readonly items: readonly (MediaObject | undefined)[];
  readonly total: number;
}

/** @param number from 0 */
export function imagesPage(filter: ImageFilter, number: number) {
  return queryOptions({
    queryKey: ["images", filter, number],
    queryFn: async ({ signal }) =>
      toSlots(await api.imagePage({ ...filter, limit: PAGE_ITEMS, page: number + 1 }, { signal })),
    staleTime: 60_000,
    gcTime: 120_000,
  });
}

function toSlots({ images, pagination }: ImagePage): ImageSlots {
  return { items: images, total: pagination.total };
}

/** The pages of one listing that are in memory, by their numbers. */
export function cachedPages(client: QueryClient, filter: ImageFilter): Map<number, ImageSlots> {
  const found = client.getQueriesData<ImageSlots>({ queryKey: ["images", filter] });
  return new Map(
    found.flatMap(([key, page]) => (page === undefined || typeof key[2] !== "number" ? [] : [[key[2], page]])),
  );
}

/**
 * The files at some positions of a listing, asked for where they are not in memory; positions that are gone are left out.
 * @param positions intervals, in order and apart
 * @throws MediaHostError; the signal's reason
 */
export async function* readPositions(
  client: QueryClient,
  filter: ImageFilter,
  positions: readonly { readonly start: number; readonly end: number }[],
  signal?: AbortSignal,
): AsyncGenerator<MediaObject> {
  let number = -1;
  let page: ImageSlots | undefined;
  for (const { start, end } of positions) {
    for (let position = start; position < end; position += 1) {
      signal?.throwIfAborted();
      if (number !== Math.floor(position / PAGE_ITEMS)) {
        number = Math.floor(position / PAGE_ITEMS);
        page = await client.fetchQuery(withoutHoles(client, imagesPage(filter, number)));
      }
      const item = page?.items[position % PAGE_ITEMS];
      if (item !== undefined) yield item;
    }
  }
}

/** A page with holes is asked for again, however young it is. */
function withoutHoles(client: QueryClient, page: ReturnType<typeof imagesPage>) {
  const hasHoles = client.getQueryData(page.queryKey)?.items.includes(undefined);
  return hasHoles ? { ...page, staleTime: 0 } : page;
}
