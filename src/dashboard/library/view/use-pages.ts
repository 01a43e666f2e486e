import { useQueries } from "@tanstack/react-query";
import type { ImageFilter } from "../../../client/index.ts";
import { type ImageSlots, PAGE_ITEMS } from "../../api/queries/image-slots.ts";
import { imagesPage } from "../../api/queries/images.ts";
import type { Item } from "../changes/patch.ts";

interface Wanted {
  /** `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly direction: 1 | -1;
  /** Nothing is fetched while tiles pass too fast. */
  readonly isFast: boolean;
}

/** Pages are prefetched this far in the direction of the scroll. */
const SCREENS_AHEAD = 2;

/** Fetches the pages around the visible positions, and prefetches the next. A slot is undefined while its file is not known. */
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
