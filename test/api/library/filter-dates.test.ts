import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApiKey, openAccount, uploadOne } from "../../support/api/api.ts";
import { expectInvalid, listIds, listPage, type Query, requestList } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

// The moments grow, because a server never gives an upload a smaller id than the one before.
const MOMENTS = [
  "2032-02-28T23:59:59.999Z",
  "2032-02-29T00:00:00.000Z",
  "2032-02-29T12:00:00.000Z",
  "2032-02-29T23:59:59.999Z",
  "2032-03-01T00:00:00.000Z",
  "2032-12-31T23:59:59.999Z",
  "2033-01-01T00:00:00.000Z",
] as const;

let apiKey: string;
const momentOf = new Map<string, string>();

beforeAll(async () => {
  const account = await openAccount("business");
  apiKey = (await createApiKey(account.token)).key;
  for (const moment of MOMENTS) {
    vi.setSystemTime(new Date(moment));
    const { _id, createdAt } = await uploadOne(apiKey, { name: "x.png", bytes: png() });
    expect(createdAt).toBe(moment);
    momentOf.set(_id, moment);
  }
});

afterAll(() => {
  vi.useRealTimers();
});

async function momentsShown(query: Query): Promise<string[]> {
  return (await listIds(apiKey, query)).map((id) => momentOf.get(id) ?? "?").reverse();
}

describe("From and to", () => {
  it.each<[Query, number, number]>([
    [{ from: "2032-02-28" }, 0, 7],
    [{ from: "2032-02-29" }, 1, 7],
    [{ from: "2032-03-01" }, 4, 7],
    [{ from: "2032-03-02" }, 5, 7],
    [{ from: "2033-01-01" }, 6, 7],
    [{ from: "2033-01-02" }, 7, 7],
    [{ to: "2032-02-27" }, 0, 0],
    [{ to: "2032-02-28" }, 0, 1],
    [{ to: "2032-02-29" }, 0, 4],
    [{ to: "2032-03-01" }, 0, 5],
    [{ to: "2032-12-30" }, 0, 5],
    [{ to: "2032-12-31" }, 0, 6],
    [{ to: "2033-01-01" }, 0, 7],
    [{ from: "2032-02-29", to: "2032-02-29" }, 1, 4],
    [{ from: "2032-02-28", to: "2032-03-01" }, 0, 5],
    [{ from: "2032-12-31", to: "2033-01-01" }, 5, 7],
    [{ from: "2032-03-02", to: "2032-12-30" }, 5, 5],
  ])("The dates %j include the whole of both days, in UTC", async (query, first, end) => {
    expect(await momentsShown(query)).toEqual(MOMENTS.slice(first, end));
    const { pagination } = await listPage(apiKey, { ...query, limit: 1 });
    expect(pagination.total).toBe(end - first);
  });

  it("Dates combine with other filters, in pages and by cursor", async () => {
    const query = { from: "2032-02-29", to: "2032-12-31", q: "x.png", mimePrefix: "image/", limit: 2 };
    const newestFirst = MOMENTS.slice(1, 6).reverse();
    const first = await listPage(apiKey, query);
    const byPage = await listPage(apiKey, { ...query, page: 2 });
    const byCursor = await listPage(apiKey, { ...query, cursor: first.pagination.nextCursor ?? "" });
    expect(first.images.map(({ createdAt }) => createdAt)).toEqual(newestFirst.slice(0, 2));
    expect(byPage.images.map(({ createdAt }) => createdAt)).toEqual(newestFirst.slice(2, 4));
    expect(byCursor.images).toEqual(byPage.images);
    expect([first, byPage, byCursor].map(({ pagination }) => pagination.total)).toEqual([5, 5, 5]);
  });

  it("Dates in the wrong order are refused, also by one day", async () => {
    await expectInvalid(await requestList(apiKey, { from: "2032-03-01", to: "2032-02-29" }), "from", "to");
    await expectInvalid(await requestList(apiKey, { from: "2033-01-01", to: "2032-12-31" }), "from", "to");
  });
});
