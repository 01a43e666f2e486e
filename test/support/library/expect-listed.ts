import { expect } from "vitest";
import { listPage, type Query } from "./api.ts";
import type { Library } from "./fixture.ts";
import { expectedItems } from "./oracle.ts";

/** Expects a query to list and count the library's matches. @returns their number */
export async function expectListed(library: Library, query: Query): Promise<number> {
  const expected = expectedItems(library.items, query).map(({ _id }) => _id);
  const { images, pagination } = await listPage(library.account.token, { ...query, limit: 100 });
  expect(images.map(({ _id }) => _id)).toEqual(expected);
  expect(pagination).toMatchObject({ total: expected.length, totalPages: Math.ceil(expected.length / 100) });
  return expected.length;
}
