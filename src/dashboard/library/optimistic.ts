import type { QueryClient } from "@tanstack/react-query";
import type { ImageFilter } from "../../client/index.ts";
import { cachedPages, type ImageSlots, imagesPage, PAGE_ITEMS } from "../api/queries/images.ts";
import { applyChange, type Change } from "./apply-change.ts";
import type { Filters } from "./filters.ts";

export interface Pending {
  /** The positions that left the view. */
  readonly removed: readonly number[];
  /** The service has refused it. */
  readonly revert: () => void;
  /** The service has done it: what is not known is asked for. @param isWhole whether it did all that was asked */
  readonly settle: (isWhole: boolean) => Promise<void>;
}

/** Shows a change in the listing that is seen, before the service has answered. */
export async function showChange(
  client: QueryClient,
  { filters, filter }: { readonly filters: Filters; readonly filter: ImageFilter },
  change: Change,
): Promise<Pending> {
  // An answer that is on its way would bring back what was.
  await client.cancelQueries({ queryKey: ["images"] });
  const before = cachedPages(client, filter);
  const total = Math.max(0, ...[...before.values()].map((page) => page.total));
  const pages = new Map([...before].map(([number, { items }]) => [number, items]));
  const { view, removed } = applyChange({ total, pages }, filters, change, PAGE_ITEMS);
  const shown = new Map<number, ImageSlots>();
  for (const number of before.keys()) {
    // A page that is empty now is kept where it is the first one: it tells the total.
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
      // Other listings hold the files as they were.
      const isOther = (key: readonly unknown[]) =>
        typeof key[2] === "number" && JSON.stringify(key[1]) !== JSON.stringify(filter);
      client.removeQueries({ queryKey: ["images"], type: "inactive", predicate: ({ queryKey }) => isOther(queryKey) });
      await client.invalidateQueries({
        queryKey: ["images"],
        predicate: ({ queryKey }) => isOther(queryKey) || isStale(queryKey),
      });
    },
  };
}
