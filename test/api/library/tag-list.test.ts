import { beforeAll, describe, expect, it } from "vitest";
import { bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { libraries } from "../../support/api/databases.ts";
import { bulkUpdate, expectInvalid, moveToTrash, type Query, uploadMany } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

function request(token: string, query: Query = {}): Promise<Response> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return call(`/tags?${search}`, { headers: bearer(token) });
}

async function listTags(token: string, query: Query = {}): Promise<[string, number][]> {
  const response = await request(token, query);
  expect(response.status, await response.clone().text()).toBe(200);
  const { tags } = await response.json<{ tags: { tag: string; count: number }[] }>();
  return tags.map(({ tag, count }) => [tag, count]);
}

async function uploads(account: TestAccount, count: number): Promise<string[]> {
  const files = Array.from({ length: count }, (_, at) => ({ name: `${at}.png`, bytes: png() }));
  return (await uploadMany(account.token, files)).map(({ _id }) => _id);
}

/** Counts as the triggers write them, without the uploads: `prefix` and a number, the higher the more. */
function countTags({ id }: TestAccount, shard: (typeof libraries.shards)[number], prefix: string, count: number) {
  return libraries
    .bindingOf(shard)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO upload_counts SELECT ?, '*', 'tag', 'active', ? || printf('%06d', i), i, 0 FROM n`,
    )
    .bind(count, id, prefix)
    .run();
}

describe.each(libraries.shards.slice(0, 2))("GET /tags of an account in shard %s", (shard) => {
  let account: TestAccount;
  let ids: string[];

  beforeAll(async () => {
    account = await openAccount("business", shard);
    ids = await uploads(account, 4);
    await bulkUpdate(account.token, { ids: ids.slice(0, 3), addTags: ["beach", "Café"] });
    await bulkUpdate(account.token, { ids: ids.slice(0, 2), addTags: ["sun"] });
    await bulkUpdate(account.token, { ids: ids.slice(1, 2), addTags: ["Sunny", "アール", "a_b%"] });
    await bulkUpdate(account.token, { ids: ids.slice(3), addTags: ["in the trash alone", "sun"] });
    await moveToTrash(account.token, ids.slice(3));
  });

  it("`GET /tags` lists the tags of active uploads, the most used first, then by name", async () => {
    const all = [
      ["Café", 3],
      ["beach", 3],
      ["sun", 2],
      ["Sunny", 1],
      ["a_b%", 1],
      ["アール", 1],
    ];
    expect(await listTags(account.token)).toEqual(all);
    expect(await listTags(account.token, { limit: 2 })).toEqual(all.slice(0, 2));
    expect(await listTags((await openAccount("free", shard)).token)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ["sun", ["sun", "Sunny"]],
    ["NNY", ["Sunny"]],
    ["cafe", ["Café"]],
    ["CAFÉ", ["Café"]],
    ["アー", ["アール"]],
    ["%", ["a_b%"]],
    ["_", ["a_b%"]],
    ["a_b%", ["a_b%"]],
    ["' OR 1=1 --", []],
    ["\u0301", []],
    [" sun ", ["sun", "Sunny"]],
  ])("`GET /tags` finds by %j a part of a tag, in any case and with any accents", async (q, found) => {
    expect((await listTags(account.token, { q })).map(([tag]) => tag)).toEqual(found);
  });

  it.each(["0", "201", "-1", "1.5", "x", "1e1"])("`GET /tags` refuses a limit of %s", async (limit) => {
    await expectInvalid(await request(account.token, { limit }), "limit");
  });

  it("`GET /tags` refuses text that is too long", async () => {
    expect(await listTags(account.token, { q: "x".repeat(200) })).toEqual([]);
    await expectInvalid(await request(account.token, { q: "x".repeat(201) }), "q");
  });

  it("`GET /tags` finds the most used of many thousands, which it reads in steps, each once", async () => {
    const many = await openAccount("business", shard);
    await countTags(many, shard, "tag", 45_000);
    await countTags(many, shard, "Zoë", 3);
    expect(await listTags(many.token, { limit: 200 })).toEqual(
      Array.from({ length: 200 }, (_, at) => [`tag${String(45_000 - at).padStart(6, "0")}`, 45_000 - at]),
    );
    expect(await listTags(many.token, { q: "ZOE" })).toEqual([
      ["Zoë000003", 3],
      ["Zoë000002", 2],
      ["Zoë000001", 1],
    ]);
    expect(await listTags(many.token, { q: "044999" })).toEqual([["tag044999", 44_999]]);
    // The number of tags that a step reads.
    const exact = await openAccount("business", shard);
    await countTags(exact, shard, "t", 20_000);
    expect(await listTags(exact.token, { limit: 1 })).toEqual([["t020000", 20_000]]);
  }, 30_000);
});
