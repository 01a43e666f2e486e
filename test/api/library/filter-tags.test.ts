import { beforeAll, describe, expect, it } from "vitest";
import { openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { changeImage, listIds, listPage, type Query } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

const DECOMPOSED = "cafe\u0301";
const HOSTILE = ["%", "_", "a%", '"', '"a"', "'", "\\", "[", "]", "null", "a b", "*", "sun' OR '1'='1", "🦊", "写真"];

const LIBRARY: Record<string, readonly string[]> = {
  none: [],
  sun: ["sun"],
  sunny: ["sunny"],
  Sun: ["Sun"],
  sunSea: ["sun", "sea"],
  seaSun: ["sea", "sun"],
  all: ["sea", "snow", "sun", "wind"],
  cafe: ["café"],
  plain: ["cafe"],
};

let account: TestAccount;
const names = new Map<string, string>();

beforeAll(async () => {
  account = await openAccount("business");
  const hostile = Object.fromEntries(HOSTILE.map((tag) => [`hostile ${tag}`, [tag]]));
  for (const [name, tags] of Object.entries({ ...LIBRARY, ...hostile })) {
    const { _id } = await uploadOne(account.token, { name: "x.png", bytes: png() });
    if (tags.length > 0) expect((await changeImage(account.token, _id, { tags })).tags).toEqual(tags);
    names.set(_id, name);
  }
});

async function namesShown(query: Query): Promise<string[]> {
  return (await listIds(account.token, { ...query, limit: 100 })).map((id) => names.get(id) ?? "?").reverse();
}

describe("tags", () => {
  it.each([
    ["sun", ["sun", "sunSea", "seaSun", "all"]],
    ["sun,sea", ["sunSea", "seaSun", "all"]],
    ["sea,sun", ["sunSea", "seaSun", "all"]],
    [" sea , sun ", ["sunSea", "seaSun", "all"]],
    ["sun,sun", ["sun", "sunSea", "seaSun", "all"]],
    ["sun,,sea,", ["sunSea", "seaSun", "all"]],
    ["sea,snow,sun,wind", ["all"]],
    ["sea,snow,sun,wind,rain", []],
    ["Sun", ["Sun"]],
    ["SUN", []],
    ["su", []],
    ["unny", []],
    ["café", ["cafe"]],
    [DECOMPOSED, ["cafe"]],
    ["cafe", ["plain"]],
    ["sun sea", []],
  ])("`tags` %j shows the items that have all of them, exactly as written", async (tags, expected) => {
    expect(await namesShown({ tags })).toEqual(expected);
  });

  it.each(HOSTILE)("`tags` %j is plain text", async (tag) => {
    expect(await namesShown({ tags: tag })).toEqual([`hostile ${tag}`]);
    expect(await namesShown({ tag })).toEqual([`hostile ${tag}`]);
    const others = await namesShown({ excludeTags: tag });
    expect(others).toHaveLength(names.size - 1);
    expect(others).not.toContain(`hostile ${tag}`);
  });
});

describe("tag", () => {
  it("`tag` is `tags` with one tag", async () => {
    expect(await namesShown({ tag: "sun" })).toEqual(await namesShown({ tags: "sun" }));
    expect(await namesShown({ tag: ` ${DECOMPOSED} ` })).toEqual(["cafe"]);
  });

  it("`tag` and `tags` together show the items that have all tags of both", async () => {
    expect(await namesShown({ tag: "wind", tags: "sun,sea" })).toEqual(["all"]);
    expect(await namesShown({ tag: "sun", tags: "sun" })).toEqual(["sun", "sunSea", "seaSun", "all"]);
    expect(await namesShown({ tag: "sunny", tags: "sun" })).toEqual([]);
  });
});

describe("excludeTags", () => {
  const shown = async (query: Query) => (await namesShown(query)).filter((name) => !name.startsWith("hostile"));

  it("`excludeTags` omits the items that have any of them", async () => {
    expect(await shown({ excludeTags: "sea" })).toEqual(["none", "sun", "sunny", "Sun", "cafe", "plain"]);
    expect(await shown({ excludeTags: "snow,sunny" })).toEqual([
      "none",
      "sun",
      "Sun",
      "sunSea",
      "seaSun",
      "cafe",
      "plain",
    ]);
    expect(await shown({ excludeTags: DECOMPOSED, tags: "café" })).toEqual([]);
    expect(await shown({ excludeTags: "unknown" })).toHaveLength(Object.keys(LIBRARY).length);
  });

  it("`excludeTags` with `tags` omits items of those results", async () => {
    expect(await shown({ tags: "sun", excludeTags: "wind" })).toEqual(["sun", "sunSea", "seaSun"]);
    expect(await shown({ tags: "sun,sea", excludeTags: "snow,rain", tag: "sea" })).toEqual(["sunSea", "seaSun"]);
    expect(await shown({ tags: "sun", excludeTags: "sun" })).toEqual([]);
  });
});

it("Tags and the total follow each change at once", async () => {
  const total = async (tag: string) => (await listPage(account.token, { tag })).pagination.total;
  const { _id } = await uploadOne(account.token, { name: "x.png", bytes: png() }, { tags: "first,second" });
  expect([await total("first"), await total("second"), await total("third")]).toEqual([1, 1, 0]);
  await changeImage(account.token, _id, { tags: ["third", "first"] });
  expect([await total("first"), await total("second"), await total("third")]).toEqual([1, 0, 1]);
  await changeImage(account.token, _id, { tags: [] });
  expect([await total("first"), await total("second"), await total("third")]).toEqual([0, 0, 0]);
});
