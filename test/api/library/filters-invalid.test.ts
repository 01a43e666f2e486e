import { beforeAll, describe, expect, it } from "vitest";
import { openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { expectInvalid, listIds, requestList } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

let account: TestAccount;
let id: string;

beforeAll(async () => {
  account = await openAccount("business");
  id = (await uploadOne(account.token, { name: "a.png", bytes: png() }))._id;
});

const many = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`).join(",");

describe("Invalid values", () => {
  const NO_DATES = [
    "yesterday",
    "2026-02-30",
    "2026-02-29",
    "2100-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-1-1",
    "20260101",
    "26-01-01",
    "2026-01-01T00:00:00Z",
    "2026-01-01 ",
    "+002026-01-01",
    "2026-01-01' OR '1'='1",
    "٢٠٢٦-٠١-٠١",
    "9".repeat(500),
  ];
  const NO_SIZES = ["-1", "1.5", "1e3", "0x10", "abc", " 1", "1 ", "1,000", "NaN", "Infinity", "٣", "+1", "1MB"];
  const invalid: Record<string, readonly string[]> = {
    status: ["deleted", "ACTIVE", "active,trash"],
    from: NO_DATES,
    to: NO_DATES,
    minSize: NO_SIZES,
    maxSize: NO_SIZES,
    favorite: ["1", "0", "yes", "TRUE", "null", "true,false"],
    q: ["x".repeat(201), "🦊".repeat(201), `${"x".repeat(150)} ${"y".repeat(100)}`],
    tags: [many(51)],
    excludeTags: [many(51)],
    cursor: ["x", "null", "undefined", "-1", "[]", "{}", "bm90IGEgY3Vyc29y", "é".repeat(50), "x".repeat(4000)],
  };
  const rows = Object.entries(invalid).flatMap(([name, values]) => values.map((value) => [name, value] as const));

  it.each(rows)("The invalid filter %s=%.40s is 400 and named", async (name, value) => {
    const response = await requestList(account.token, { [name]: value });
    await expectInvalid(response, name);
  });

  it.each(rows.map(([name, value]) => [`${name}=${value}`, name, value]))(
    "The invalid filter %.40s is 400 and named next to valid ones",
    async (_, name = "", value = "") => {
      const valid = { status: "all", q: "a", minSize: 1, from: "2020-01-01", tags: "x" };
      await expectInvalid(await requestList(account.token, { ...valid, [name]: value }), name);
    },
  );

  it.each([
    ["from=2026-03-02&to=2026-03-01", ["from", "to"]],
    ["from=9999-12-31&to=0999-01-01", ["from", "to"]],
    ["minSize=2&maxSize=1", ["minSize", "maxSize"]],
    ["minSize=10&maxSize=9", ["minSize", "maxSize"]],
    ["minSize=1&maxSize=0", ["minSize", "maxSize"]],
  ])("The filters %s, in the wrong order, are 400 and named", async (search, names) => {
    await expectInvalid(await requestList(account.token, search), ...names);
  });

  it("Several invalid filters at once are each named", async () => {
    const response = await requestList(account.token, "status=x&from=y&favorite=z&minSize=-1");
    expect(response.status).toBe(400);
    const { details } = await response.json<{ details: object }>();
    expect(Object.keys(details).sort()).toEqual(["favorite", "from", "minSize", "status"]);
  });

  it.each(["status", "from", "to", "minSize", "maxSize", "favorite", "q", "mimePrefix", "tags", "excludeTags", "tag"])(
    "The filter %s, given twice, is 400 and named",
    async (name) => {
      const values: Record<string, string> = { status: "all", from: "2020-01-01", to: "2020-01-01", favorite: "true" };
      const value = values[name] ?? "1";
      await expectInvalid(await requestList(account.token, `${name}=${value}&${name}=${value}`), name);
    },
  );
});

describe("Page and limit", () => {
  it.each([
    ["page=0", ["page"]],
    ["page=-1", ["page"]],
    ["page=1.5", ["page"]],
    ["page=abc", ["page"]],
    ["limit=0", ["limit"]],
    ["limit=101", ["limit"]],
    ["limit=-5", ["limit"]],
    ["limit=1e1", ["limit"]],
    ["page=0&limit=0", ["limit", "page"]],
    ["page=0&limit=0&status=all&q=x", ["limit", "page"]],
  ])("The parameters %s are 400 in the contract's words, and are named", async (search, names) => {
    const response = await requestList(account.token, search);
    expect(response.status).toBe(400);
    const body = await response.json<{ details: object }>();
    expect(body).toMatchObject({ error: "Invalid page or limit parameter", code: "invalid_paging", statusCode: 400 });
    expect(Object.keys(body.details).sort()).toEqual(names);
  });

  it("Page and limit may be at their bounds", async () => {
    expect(await listIds(account.token, "page=1&limit=1")).toEqual([id]);
    expect(await listIds(account.token, "page=1&limit=100")).toEqual([id]);
  });
});

describe("Folder", () => {
  it.each(["01hzy3v7k9q4r5s6t7v8w9x0ya", "ROOT", "null", "' OR 1=1 --", "%00", "x".repeat(3000)])(
    "An unknown folder (%.30s) is 404, with any other filters",
    async (folderId) => {
      for (const more of [{}, { status: "trash" }, { q: "a" }, { tags: "x" }]) {
        const response = await requestList(account.token, { folderId, ...more });
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
      }
    },
  );
});

describe("Valid values", () => {
  it.each([
    "from=2024-02-29",
    "from=2000-02-29&to=9999-12-31",
    "from=2000-01-01&to=2999-12-31",
    "minSize=0",
    "minSize=100&maxSize=100",
    "maxSize=9007199254740991",
    `excludeTags=${many(50)}`,
    `q=${"%20".repeat(300)}a${"%20".repeat(300)}`,
    "status=all&folderId=all&q=a&from=2000-01-01&to=2999-12-31&mimePrefix=image/&minSize=1&maxSize=999&favorite=false" +
      "&excludeTags=x&page=1&limit=100",
  ])("The filter %.60s is at the limit and valid", async (search) => {
    expect(await listIds(account.token, search)).toEqual([id]);
  });

  it.each([
    `q=${"x".repeat(200)}`,
    `q=${encodeURIComponent("🦊".repeat(200))}`,
    `q=${encodeURIComponent("写".repeat(200))}`,
    `q=${"%25".repeat(200)}`,
    `q=${"%22".repeat(200)}`,
    `q=${"*".repeat(200)}`,
    `tags=${many(50)}`,
    `tags=${many(50)}&tag=one-more`,
    `tags=${encodeURIComponent(Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(64, "写")).join(","))}`,
  ])("The filter %.60s, which no upload matches, is valid", async (search) => {
    expect(await listIds(account.token, search)).toEqual([]);
  });
});

it.each([
  "q=%FF",
  "q=%00",
  "q=a%00b",
  "q=%ED%A0%80",
  "tags=%00",
  "tag=a,b",
  "tags=%FE%FF",
  "mimePrefix=%00",
  "cursor=%00",
])("The query ?%s is answered with 200 or 400, and shows nothing", async (search) => {
  const response = await requestList(account.token, search);
  expect([200, 400]).toContain(response.status);
  expect((await response.json<{ images?: unknown[] }>()).images ?? []).toEqual([]);
});

it.each([
  "page=9007199254740991&limit=100",
  "page=90071992547409",
  "minSize=99999999999999999999",
  "maxSize=99999999999999999999&minSize=1",
  `minSize=${"9".repeat(400)}`,
  `maxSize=1${"0".repeat(400)}`,
  "from=0000-01-01",
  "to=0000-01-01",
  "mimePrefix=",
  "tags=",
  "tags=,,,",
  `tags=${"x".repeat(65)}`,
  `tags=${"%0A"}`,
  `mimePrefix=${"x".repeat(5000)}`,
  `excludeTags=${"x".repeat(3000)}`,
  "q[]=x&tags[]=y&__proto__=z&constructor=1",
  "unknown=1",
])("The query ?%.40s, at the limit, is 200 or 400", async (search) => {
  expect([200, 400]).toContain((await requestList(account.token, search)).status);
});
