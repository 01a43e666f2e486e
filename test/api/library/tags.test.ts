import { beforeEach, describe, expect, it } from "vitest";
import { expectNothingLeft } from "../../support/api/account-state.ts";
import { openAccount, type TestAccount, upload, uploadOne } from "../../support/api/api.ts";
import {
  bulkUpdate,
  changeImage,
  expectInvalid,
  getImage,
  listIds,
  listPage,
  patchImage,
  requestBulkUpdate,
  uploadMany,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

const FILE = { name: "a.png", bytes: png() };
const DECOMPOSED = "e\u0301te\u0301";
const fifty = Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(64, "x"));

let account: TestAccount;
beforeEach(async () => {
  account = await openAccount("business");
});

describe("Tags", () => {
  it.each<[string, string[], string[]]>([
    ["trimmed", [" a ", "\tb", "c d "], ["a", "b", "c d"]],
    ["once each, in the order given", ["b", "a", "b", "c", "a"], ["b", "a", "c"]],
    ["once each after trimming", ["a", " a"], ["a"]],
    ["upper and lower case apart", ["Sun", "sun", "SUN"], ["Sun", "sun", "SUN"]],
    ["composed", [DECOMPOSED, "été"], ["été"]],
    ["in every script", ["写真", "Ёлка", "🦊 fox", "👩‍👩‍👧", "שלום"], ["写真", "Ёлка", "🦊 fox", "👩‍👩‍👧", "שלום"]],
    [
      "with whatever characters",
      ["%", "_", '"q"', "'", "\\", "a;b", "[]", "{}"],
      ["%", "_", '"q"', "'", "\\", "a;b", "[]", "{}"],
    ],
    ["50 of them, of 64 characters", fifty, fifty],
    ["64 emoji long", ["🦊".repeat(64)], ["🦊".repeat(64)]],
    ["64 letters long, once composed", ["e\u0301".repeat(64)], ["é".repeat(64)]],
  ])("Tags are the same by upload, `PATCH` and bulk update: %s", async (_, given, kept) => {
    const first = await uploadOne(account.token, FILE, { tags: given.join(",") });
    expect(first.tags).toEqual(kept);
    const second = await uploadOne(account.token, FILE);
    expect((await changeImage(account.token, second._id, { tags: given })).tags).toEqual(kept);
    const third = await uploadOne(account.token, FILE);
    expect(await bulkUpdate(account.token, { ids: [third._id], addTags: given })).toBe(1);
    for (const { _id } of [first, second, third]) expect((await getImage(account.token, _id)).tags).toEqual(kept);
    const ids = [third._id, second._id, first._id];
    expect(await listIds(account.token, { tags: kept.join(",") })).toEqual(ids);
    expect(await listIds(account.token, { tag: given[0] ?? "" })).toEqual(ids);
    expect(await bulkUpdate(account.token, { ids, removeTags: given })).toBe(3);
    expect(await listIds(account.token, { tag: given[0] ?? "" })).toEqual([]);
  });
});

it("Tags may be 50 for each of 50 files of one request", async () => {
  const files = Array.from({ length: 50 }, (_, i) => ({ name: `${i}.png`, bytes: png() }));
  const results = await uploadMany(account.token, files, { tags: fifty.join(",") });
  for (const { tags } of results) expect(tags).toEqual(fifty);
  const { images, pagination } = await listPage(account.token, { tags: fifty.join(","), limit: 100 });
  expect(pagination.total).toBe(50);
  for (const { tags } of images) expect(tags).toEqual(fifty);
  expect((await listPage(account.token, { excludeTags: fifty.slice(49).join(",") })).pagination.total).toBe(0);
});

describe("Invalid tags", () => {
  const invalid: [string, string[]][] = [
    ["are more than 50", Array.from({ length: 51 }, (_, i) => `${i}`)],
    ["are of 65 characters", ["ok", "x".repeat(65)]],
    ["are of 65 emoji", ["🦊".repeat(65)]],
    ["have a line break", ["a\nb"]],
    ["have a NUL", ["a\0b"]],
    ["have an escape", ["a\u001b[31m"]],
    ["have a DEL", ["a\u007fb"]],
    ["have a C1 control", ["a\u0085b"]],
  ];

  it.each(invalid)("Tags that %s are refused at upload, and nothing is stored", async (_, tags) => {
    await expectInvalid(await upload(account.token, [FILE], { tags: tags.join(",") }), "tags");
    await expectNothingLeft(account.id);
  });

  it.each([...invalid, ["have a comma", ["a,b"]] satisfies [string, string[]]])(
    "Tags that %s are refused in a change, and nothing changes",
    async (_, tags) => {
      const { _id } = await uploadOne(account.token, FILE, { tags: "old" });
      await expectInvalid(await patchImage(account.token, _id, { tags, favorite: true }), "tags");
      const bulk = { ids: [_id], addTags: tags, favorite: true };
      await expectInvalid(await requestBulkUpdate(account.token, bulk), "addTags");
      expect(await getImage(account.token, _id)).toMatchObject({ tags: ["old"], favorite: false });
    },
  );
});
