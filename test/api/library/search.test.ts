import { beforeAll, describe, expect, it } from "vitest";
import { callJson, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { writeGif } from "../../support/gif/write-gif.ts";
import { listIds, listPage, type Query, uploadMany } from "../../support/library/api.ts";
import { expectedItems, type LibraryItem, toLibraryItem } from "../../support/library/oracle.ts";
import { png } from "../../support/media/samples.ts";

const NAMES = [
  "100% sure.png",
  "100x sure.png",
  "100_ sure.png",
  'say "cheese".png',
  "it's me.png",
  "star*shine.png",
  "f(x).png",
  "f[x].png",
  "f{x}.png",
  "salt AND pepper.png",
  "salt and pepper.png",
  "NOT here.png",
  "NEAR(a b).png",
  "NEAR the sea.png",
  "-dash.png",
  "--comment.png",
  "a:b^c+d.png",
  "filename:x.png",
  "semi;colon.png",
  "two  spaces.png",
  "comma, and dot. and #hash & more.png",
  "~tilde`back$dollar@at!.png",
  "%%.png",
  "__.png",
  "~.png",
  "q.png",
  "Quo.png",
  "xyzzy-xyzzy-xyzzy.png",
] as const;

let account: TestAccount;
let items: LibraryItem[];

beforeAll(async () => {
  account = await openAccount("business");
  const files = NAMES.map((name) => ({ name, bytes: png() }));
  items = (await uploadMany(account.token, files)).map(toLibraryItem).reverse();
  expect(items.map(({ originalFilename }) => originalFilename).reverse()).toEqual(NAMES);
});

async function namesFound(q: string, query: Query = {}): Promise<string[]> {
  const { images, pagination } = await listPage(account.token, { ...query, q, limit: 100 });
  expect(pagination.total).toBe(images.length);
  return images.map(({ prompt }) => prompt).reverse();
}

describe("Plain text", () => {
  it.each([
    ["100%", ["100% sure.png"]],
    ["0%", ["100% sure.png"]],
    ["100_", ["100_ sure.png"]],
    ["0_ s", ["100_ sure.png"]],
    ["%%", ["%%.png"]],
    ["%.png", ["%%.png"]],
    ["__", ["__.png"]],
    ["%sure%", []],
    ["1%e", []],
    ["1__ sure", []],
    ['"cheese"', ['say "cheese".png']],
    ['"', ['say "cheese".png']],
    ['""', []],
    ["'", ["it's me.png"]],
    ["it's", ["it's me.png"]],
    ["''", []],
    ["*", ["star*shine.png"]],
    ["star*", ["star*shine.png"]],
    ["sta*", []],
    ["f(", ["f(x).png"]],
    ["(", ["f(x).png", "NEAR(a b).png"]],
    ["(x)", ["f(x).png"]],
    ["[x]", ["f[x].png"]],
    ["{x}", ["f{x}.png"]],
    ["AND", ["salt AND pepper.png", "salt and pepper.png", "comma, and dot. and #hash & more.png"]],
    ["salt AND pepper", ["salt AND pepper.png", "salt and pepper.png"]],
    ["pepper AND salt", ["salt AND pepper.png", "salt and pepper.png"]],
    ["salt pepper", ["salt AND pepper.png", "salt and pepper.png"]],
    ["salt OR star", []],
    ["NOT", ["NOT here.png"]],
    ["NOT here", ["NOT here.png"]],
    ["NEAR", ["NEAR(a b).png", "NEAR the sea.png"]],
    ["NEAR(", ["NEAR(a b).png"]],
    ["NEAR(a b, 5)", []],
    ["-dash", ["-dash.png"]],
    ["--c", ["--comment.png"]],
    ["a:b", ["a:b^c+d.png"]],
    ["^c+d", ["a:b^c+d.png"]],
    ["filename:", ["filename:x.png"]],
    ["filename:f", []],
    ["original_filename:x", []],
    [";", ["semi;colon.png"]],
    ["'; DROP TABLE uploads; --", []],
    ["' OR '1'='1", []],
    ["#hash & more", ["comma, and dot. and #hash & more.png"]],
    [", and", ["comma, and dot. and #hash & more.png"]],
    ["`back$dollar@at!", ["~tilde`back$dollar@at!.png"]],
    ["two  spaces", ["two  spaces.png"]],
    ["two spaces", ["two  spaces.png"]],
    ["\\", []],
    ["\\%", []],
    ["?", []],
    ["xyzzy-xyzzy", ["xyzzy-xyzzy-xyzzy.png"]],
    ["zzy-xyz", ["xyzzy-xyzzy-xyzzy.png"]],
  ])("A search for %j is plain text, not a pattern or a query language", async (q, expected) => {
    expect(await namesFound(q)).toEqual(expected);
    expect(expectedItems(items, { q })).toHaveLength(expected.length);
  });
});

describe("Search text", () => {
  it.each(["q", "~", "%", "_", "(", ".", " ", "-", "~.", "qu", "UO", "x]", "d.", "ng", "e.", "g", "/", "0"])(
    "A search text may be as short as %j",
    async (q) => {
      const expected = expectedItems(items, { q }).map(({ originalFilename }) => originalFilename);
      expect(await namesFound(q)).toEqual(expected.reverse());
    },
  );

  it.each(["SALT", "salt", "SaLt", "aLT AnD"])("A search text %j is found in any case", async (q) => {
    expect(await namesFound(q)).toEqual(["salt AND pepper.png", "salt and pepper.png"]);
  });

  it("A search text is trimmed, and an empty one matches all", async () => {
    expect(await namesFound("  sure \t")).toHaveLength(3);
    for (const nothing of ["", " ", "\t \n"]) {
      expect(await namesFound(nothing)).toEqual(NAMES);
    }
  });

  it("A search text may be all of the longest name", async () => {
    const stranger = await openAccount();
    const name = `${"long name ".repeat(25)}.png`;
    const [result] = await uploadMany(stranger.token, [{ name, bytes: png() }]);
    const kept = result?.originalFilename ?? "";
    expect(kept.length).toBeGreaterThan(150);
    for (const q of [kept, kept.toUpperCase(), kept.slice(40, 190)]) {
      expect(await listIds(stranger.token, { q: q.slice(0, 200) })).toEqual([result?._id]);
    }
    expect(await listIds(stranger.token, { q: `${kept.slice(1, 190)}~` })).toEqual([]);
  });

  it("A search text may be of the stored file name: an id, the whole name, or both across", async () => {
    for (const { _id, filename, originalFilename } of items.slice(0, 3)) {
      const across = `${_id.slice(-6)}-${originalFilename.slice(0, 6)}`;
      for (const q of [
        _id,
        _id.toUpperCase(),
        _id.slice(-8),
        filename,
        `/${_id}`,
        `${account.id.slice(-2)}/${_id}`,
        across,
      ]) {
        expect(await listIds(account.token, { q }), q).toEqual([_id]);
      }
    }
  });

  it("A search text shorter than eight characters without a slash is of names only", async () => {
    const stranger = await openAccount();
    const [result] = await uploadMany(stranger.token, [{ name: "~.png", bytes: png() }]);
    const { _id = "", filename = "" } = result ?? {};
    const inPaths = [
      "a",
      "0",
      "uploads",
      _id.slice(0, 7),
      _id.slice(-7),
      stranger.id.slice(0, 7),
      "-",
      `${_id.slice(-3)}-~`,
    ];
    for (const q of inPaths) expect(await listIds(stranger.token, { q }), q).toEqual([]);
    for (const q of ["/", "uploads/", _id.slice(0, 8), filename.slice(3, 11)]) {
      expect(await listIds(stranger.token, { q }), q).toEqual([_id]);
    }
  });

  it("A search text may be of the original name as well as of the stored one, if they differ", async () => {
    const stranger = await openAccount();
    await callJson("PATCH", "/settings", stranger.token, { autoCompress: true });
    const colours = [[0, 0, 0] as const, [250, 40, 40] as const];
    const frames = [{ width: 40, height: 40, pixel: (x: number) => x % 2 }];
    const bytes = new Uint8Array(writeGif({ width: 40, height: 40, colours, frames }));
    const result = await uploadOne(stranger.token, { name: "Still.gif", bytes });
    expect([result.originalFilename, result.mimeType]).toEqual(["Still.gif", "image/png"]);
    expect(result.filename).toMatch(/-Still\.png$/);
    for (const q of [
      "still.gif",
      ".GIF",
      "gi",
      "still.png",
      `${result._id}-still.p`,
      "ll.p",
      "ill",
      "png still",
      "f p",
    ]) {
      expect(await listIds(stranger.token, { q }), q).toEqual([result._id]);
    }
    for (const q of ["still.jpg", "gifStill", "still.pngstill.gif", "jpg still", "gf"]) {
      expect(await listIds(stranger.token, { q }), q).toEqual([]);
    }
  });
});

it.each([
  ["mañana mananza", "mananzana"],
  ["abcab abd", "abcabd"],
  ["xyzzy zyxxyz", "zzyxyz"],
  ["写真と動画 真と写", "写真と写"],
  ["🦊🐺🐻 🐺🐻🦁", "🦊🐺🐻🦁"],
])("A name that has all pieces of a search text but not the whole text is not found (%s)", async (name, q) => {
  const stranger = await openAccount();
  const [result] = await uploadMany(stranger.token, [{ name: `${name}.png`, bytes: png() }], { tags: "abd, mananz" });
  expect(await listIds(stranger.token, { q: [...name].slice(0, -1).join("") })).toEqual([result?._id]);
  expect(await listIds(stranger.token, { q })).toEqual([]);
  for (const across of [`${name}.pngabd`, "png,abd", "gabd", "abdmananz", "abd, mananz", "abd,mananz"]) {
    expect(await listIds(stranger.token, { q: across }), across).toEqual([]);
  }
});
