import { expect } from "vitest";
import { listPage, type MediaObject, type Query } from "./api.ts";

/** Every item of a listing, page by page. All pages must have the same total. */
export async function listByPage(token: string, query: Query, limit: number): Promise<MediaObject[]> {
  const first = await listPage(token, { ...query, page: 1, limit });
  const { total, totalPages } = first.pagination;
  expect(totalPages).toBe(Math.ceil(total / limit));
  const items = [...first.images];
  for (let page = 2; page <= totalPages; page++) {
    const { images, pagination } = await listPage(token, { ...query, page, limit });
    expect(pagination).toMatchObject({ page, limit, total, totalPages });
    expect(images.length).toBeGreaterThan(0);
    items.push(...images);
  }
  expect(items).toHaveLength(total);
  return items;
}

/** Every item of a listing, cursor by cursor. @param between called with each page before the next one is requested */
export async function listByCursor(
  token: string,
  query: Query,
  limit: number,
  between: (page: readonly MediaObject[]) => Promise<void> = () => Promise.resolve(),
): Promise<MediaObject[]> {
  const items: MediaObject[] = [];
  let cursor: string | null = null;
  // A limit, so that a cursor that never ends does not keep the test forever.
  for (let pages = 0; pages < 1000; pages++) {
    const position: Query = cursor === null ? {} : { cursor };
    const { images, pagination } = await listPage(token, { ...query, ...position, limit });
    expect(images.length).toBeLessThanOrEqual(limit);
    items.push(...images);
    cursor = pagination.nextCursor;
    if (cursor === null) return items;
    expect(cursor).toBeTypeOf("string");
    // Only the last page may be short.
    expect(images).toHaveLength(limit);
    await between(images);
  }
  throw new Error("The cursors never end");
}
