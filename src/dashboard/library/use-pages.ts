import { useQueries } from "@tanstack/react-query";
import type { ImageFilter } from "../../client/index.ts";
import { type ImageSlots, imagesPage, PAGE_ITEMS } from "../api/queries/images.ts";
import type { Item } from "./change.ts";

interface Wanted {
  /** Positions, the last one not included. */
  readonly start: number;
  readonly end: number;
  readonly direction: 1 | -1;
  /** Nothing is asked for while tiles pass too fast. */
  readonly isFast: boolean;
}

/** So far ahead of what is seen, in the direction of the scroll, pages are there before they are seen. */
const SCREENS_AHEAD = 2;

/** The pages around what is seen, and the next one in time. A slot whose file is not known yet is undefined. */
export function usePages(filter: ImageFilter, total: number | undefined, { start, end, direction, isFast }: Wanted) {
  const numbers = pageNumbers(start, end, direction, total);
  const results = useQueries({
    queries: numbers.map((number) => ({ ...imagesPage(filter, number), enabled: !isFast })),
  });
  const pages = new Map<number, ImageSlots>();
  let newest: { readonly at: number; readonly total: number } | undefined;
  for (const [at, { data, dataUpdatedAt }] of results.entries()) {
    if (data === undefined) continue;
    pages.set(numbers[at] as number, data);
    if (newest === undefined || dataUpdatedAt > newest.at) newest = { at: dataUpdatedAt, total: data.total };
  }
  const failed = results.find(({ isError, data }) => isError && data === undefined);
  return {
    filter,
    total: newest?.total,
    error: failed?.error ?? undefined,
    isPending: results.some(({ isPending }) => isPending),
    slot: (position: number): Item | undefined =>
      pages.get(Math.floor(position / PAGE_ITEMS))?.items[position % PAGE_ITEMS],
    retry: () => {
      for (const { isError, refetch } of results) if (isError) void refetch();
    },
  };
}

function pageNumbers(start: number, end: number, direction: 1 | -1, total: number | undefined): number[] {
  if (total === undefined) return [0];
  const last = Math.max(0, Math.ceil(total / PAGE_ITEMS) - 1);
  const ahead = SCREENS_AHEAD * (end - start);
  const from = Math.floor(Math.max(0, start - (direction < 0 ? ahead : 0)) / PAGE_ITEMS);
  const to = Math.floor(Math.max(start, end - 1 + (direction > 0 ? ahead : 0)) / PAGE_ITEMS);
  const first = Math.min(last, Math.max(0, from));
  return Array.from({ length: Math.min(last, to) - first + 1 }, (_, at) => first + at);
}
