import type { QueryClient } from "@tanstack/react-query";
import type { ImageFilter, ImagePage, MediaObject } from "../../../client/index.ts";

/** The service's maximum of files in a page. */
export const PAGE_ITEMS = 100;

/** A page of a listing. A change can leave undefined slots, which are filled when the page is loaded again. */
export interface ImageSlots {
  readonly items: readonly (MediaObject | undefined)[];
  readonly total: number;
}

export function toSlots({ images, pagination }: ImagePage): ImageSlots {
  return { items: images, total: pagination.total };
}

/** The third part of the query key of a cursor, which a page far down an order needs. */
export const LEAP = "leap";

/** Removes the cursors: files before them may have come or gone. */
export function forgetLeaps(client: QueryClient): void {
  client.removeQueries({ queryKey: ["images"], predicate: ({ queryKey }) => queryKey[2] === LEAP });
}

/** A listing's cached pages, by number. */
export function cachedPages(client: QueryClient, filter: ImageFilter): Map<number, ImageSlots> {
  const found = client.getQueriesData<ImageSlots>({ queryKey: ["images", filter] });
  return new Map(
    found.flatMap(([key, page]) => (page === undefined || typeof key[2] !== "number" ? [] : [[key[2], page]])),
  );
}
