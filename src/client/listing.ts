/** A list that loads each page when it is needed and holds one page at a time. */
export interface Listing<Item, Page> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
}

/**
 * @param read loads a page; `after` is undefined for the first
 * @param itemsOf returns a page's items
 * @param nextOf returns the `after` of the next page; null or undefined on the last page
 */
export function toListing<Item, Page>(
  read: (after: string | number | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  nextOf: (page: Page) => string | number | null | undefined,
): Listing<Item, Page> {
  async function* pages(): AsyncGenerator<Page> {
    let after: string | number | undefined;
    do {
      const page = await read(after);
      yield page;
      after = nextOf(page) ?? undefined;
    } while (after !== undefined);
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf(page);
    },
  };
}
