import type { QueryClient } from "@tanstack/react-query";
import type { ImageFilter } from "../../../client/index.ts";
import { cachedPages, forgetLeaps, type ImageSlots, PAGE_ITEMS } from "../../api/queries/image-slots.ts";
import { imagesPage } from "../../api/queries/images.ts";
import type { Filters } from "../view/filters.ts";
import { applyChange, type Change } from "./apply-change.ts";
import { refetch } from "./refetch.ts";

export interface Pending {
  readonly removed: readonly number[];
  readonly revert: () => void;
  /** Call this when the service has made the change. It refetches unknown files. @param isWhole whether the service changed all files */
  readonly settle: (isWhole: boolean) => Promise<void>;
}

/** Shows a change in the visible listing before the service has answered. */
export async function showChange(
  client: QueryClient,
  { filters, filter }: { readonly filters: Filters; readonly filter: ImageFilter },
  change: Change,
): Promise<Pending> {
  // A response in progress would restore the old state.
  await client.cancelQueries({ queryKey: ["images"] });
  const before = cachedPages(client, filter);
  const total = Math.max(0, ...[...before.values()].map((page) => page.total));
  const pages = new Map([...before].map(([number, { items }]) => [number, items]));
  const { view, removed } = applyChange({ total, pages }, filters, change, PAGE_ITEMS);
  const shown = new Map<number, ImageSlots>();
  for (const number of before.keys()) {
    // An empty first page stays, because it has the total.
    const items = view.pages.get(number) ?? [];
    const page = { items, total: view.total };
    shown.set(number, page);
    client.setQueryData(imagesPage(filter, number).queryKey, page);
  }
  return {
    removed,
    revert() {
      for (const [number, page] of before) client.setQueryData(imagesPage(filter, number).queryKey, page);
    },
    async settle(isWhole) {
      const isStale = (key: readonly unknown[]) => {
        if (typeof key[2] !== "number") return false;
        const page = shown.get(key[2]);
        const now = client.getQueryData<ImageSlots>(key);
        return !isWhole || page === undefined || page.items.includes(undefined) || now !== page;
      };
      // Other listings have the files as they were before.
      const isOther = (key: readonly unknown[]) =>
        typeof key[2] === "number" && JSON.stringify(key[1]) !== JSON.stringify(filter);
      client.removeQueries({ queryKey: ["images"], type: "inactive", predicate: ({ queryKey }) => isOther(queryKey) });
      forgetLeaps(client);
      await refetch(client, ["images"], ({ queryKey }) => isOther(queryKey) || isStale(queryKey));
    },
  };
}
