/** A list that is walked page by page: nothing is asked for before it is needed, and no more is held than a page. */
export interface Listing<Item, Page> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
}

/**
 * @param read asks for a page: the first without `after`
 * @param itemsOf what a page holds
 * @param nextOf what the next page is asked for with; null or undefined on the last one
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
