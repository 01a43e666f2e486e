import type { CallOptions, Connection } from "./connection.ts";

/** A list that loads each page when it is needed and holds one page at a time. */
export interface Listing<Item, Page> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
}

/** An answer with a page of a list, in its only array. */
export interface ListPage {
  readonly pagination: { readonly nextCursor: string | null };
}

/** The list at a path, with the same query for each page. */
export function toListing<Item, Page extends ListPage = ListPage>(
  connection: Connection,
  path: string,
  { query, ...options }: CallOptions & { readonly query?: object | undefined } = {},
): Listing<Item, Page> {
  async function* pages(): AsyncGenerator<Page> {
    let cursor: string | null | undefined;
    do {
      const page: Page = await connection.call("GET", path, { ...options, query: { ...query, cursor } });
      yield page;
      cursor = page.pagination.nextCursor;
    } while (cursor);
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf<Item>(page);
    },
  };
}

export function itemsOf<Item>(page: object): readonly Item[] {
  return Object.values(page).find(Array.isArray) ?? [];
}
