import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it } from "vitest";
import { limitPages, MOST_UNUSED } from "../../../src/dashboard/library/view/limit-pages.ts";

let client: QueryClient;
let stop: () => void;

beforeEach(() => {
  client = new QueryClient();
  stop = limitPages(client.getQueryCache());
});
afterEach(() => {
  stop();
  client.clear();
});

const keyOf = (number: number) => ["images", { folderId: "all" }, number] as const;
const read = (number: number) => client.fetchQuery({ queryKey: keyOf(number), queryFn: () => ({ items: [number] }) });
const kept = () => client.getQueriesData({ queryKey: ["images"] }).map(([key]) => key[2]);

/** Shows a page until the returned function is called. */
function show(number: number): () => void {
  return new QueryObserver(client, { queryKey: keyOf(number), enabled: false }).subscribe(() => {});
}

it("Pages that are not shown are removed, the longest unused first", async () => {
  for (let number = 0; number < MOST_UNUSED + 5; number += 1) await read(number);
  expect(kept()).toEqual(Array.from({ length: MOST_UNUSED }, (_, at) => at + 5));
  show(5)();
  await read(100);
  expect(kept()).toEqual([5, ...Array.from({ length: MOST_UNUSED - 2 }, (_, at) => at + 7), 100]);
});

it("A shown page stays, however long ago it was read", async () => {
  await read(0);
  const hide = show(0);
  for (let number = 1; number < 50; number += 1) await read(number);
  expect(kept()).toContain(0);
  expect(kept()).toHaveLength(MOST_UNUSED + 1);
  hide();
  expect(kept()).toContain(0);
  expect(kept()).toHaveLength(MOST_UNUSED);
});

it("A page that is being fetched stays until its answer has come", async () => {
  await read(0);
  let answer = () => {};
  const reading = client.fetchQuery({
    queryKey: keyOf(0),
    queryFn: () => new Promise<object>((resolve) => (answer = () => resolve({ items: ["new"] }))),
  });
  for (let number = 1; number < 50; number += 1) await read(number);
  expect(kept()).toContain(0);
  answer();
  expect(await reading).toEqual({ items: ["new"] });
  expect(kept()).toHaveLength(MOST_UNUSED);
});

it("Pages that a fast scroll passes, without a request, are not kept", () => {
  for (let number = 0; number < 50; number += 1) show(number)();
  expect(client.getQueryCache().getAll()).toEqual([]);
});

it("Numbers of files and other queries are not limited", async () => {
  for (let number = 0; number < 50; number += 1) {
    await client.fetchQuery({ queryKey: ["images", { folderId: String(number) }, "count"], queryFn: () => 1 });
    await client.fetchQuery({ queryKey: ["image", String(number)], queryFn: () => 1 });
  }
  expect(client.getQueryCache().getAll()).toHaveLength(100);
});
