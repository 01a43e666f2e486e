import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { ImageFilter, MediaObject } from "../../../client/index.ts";
import { api } from "../client.ts";
import { type ImageSlots, PAGE_ITEMS, toSlots } from "./image-slots.ts";

/** @param number from 0 */
export function imagesPage(filter: ImageFilter, number: number) {
  return queryOptions({
    queryKey: ["images", filter, number],
    queryFn: async ({ client, signal }): Promise<ImageSlots> => {
      if (filter.sort === undefined)
        return toSlots(await api.imagePage({ ...filter, limit: PAGE_ITEMS, page: number + 1 }, { signal }));
      const { readSortedPage } = await import("./sorted-pages.ts");
      const read = (other: ImageFilter, at: number) => client.fetchQuery(imagesPage(other, at));
      return readSortedPage({ client, read, signal }, filter, number);
    },
    staleTime: 60_000,
    gcTime: 120_000,
  });
}

/**
 * The files at the given positions of a listing. Pages that are not cached are loaded. Positions that no longer exist are skipped.
 * @param positions ordered intervals that do not overlap
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

/** Loads a page that has undefined slots again, even if it is fresh. */
function withoutHoles(client: QueryClient, page: ReturnType<typeof imagesPage>) {
  const hasHoles = client.getQueryData(page.queryKey)?.items.includes(undefined);
  return hasHoles ? { ...page, staleTime: 0 } : page;
}

/** The number of files in each month, newest first. @param folderId a folder's id, `root` or `all` */
export function timelineQuery(status: "active" | "trash", folderId: string) {
  return queryOptions({
    queryKey: ["timeline", status, folderId],
    queryFn: ({ signal }) => api.timeline({ status, folderId, by: "month" }, { signal }),
    staleTime: 60_000,
  });
}
