import { beforeAll, describe, expect, it } from "vitest";
import { openAccount, type TestAccount } from "../../support/api/api.ts";
import { listIds, uploadMany } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

// Text is folded as in src/db/listing/search-grams.ts.

let account: TestAccount;
let idOf: Map<string, string>;

const NAMES = [
  "Äpfel und ÖL",
  "Straße",
  "ZOE\u0308 decomposed",
  "Zoë composed",
  "Zoe plain",
  "Łódź",
  "Σίσυφος",
  "ΟΔΥΣΣΕΥΣ",
  "Привет Мир",
  "Ёлка",
  "Їжак",
  "Հայաստան",
  "写真と動画",
  "한국어 사진",
  "ไทย",
  "שלום עולם",
  "مرحبا",
  "हिन्दी",
  "🦊 fox",
  "👩‍👩‍👧 family",
  "👍🏽 good",
  "🇨🇭 flag",
  "𐐀𐐁 Deseret",
  "5 µm",
  "ﬁne ligature",
  "İstanbul",
  "Ǆ digraph",
];

beforeAll(async () => {
  account = await openAccount("business");
  const files = NAMES.map((name) => ({ name: `${name}.png`, bytes: png() }));
  const results = await uploadMany(account.token, files);
  idOf = new Map(results.map(({ _id }, at) => [NAMES[at] ?? "", _id]));
});

async function found(q: string): Promise<string[]> {
  const names = new Map([...idOf].map(([name, id]) => [id, name]));
  return (await listIds(account.token, { q })).map((id) => names.get(id) ?? "?").reverse();
}

const ZOE = ["ZOE\u0308 decomposed", "Zoë composed", "Zoe plain"];

describe("Case and accents", () => {
  it.each([
    ["German", ["äpfel", "ÄPFEL", "apfel", "pfel und ol", "äpf"], ["Äpfel und ÖL"]],
    ["German ß", ["straße", "Straẞe", "STRAẞE", "strasse", "STRASSE"], ["Straße"]],
    ["Dutch, composed or not", ["zoë", "zoe\u0308", "ZOË", "ZOE\u0308", "zoe"], ZOE],
    ["Polish", ["łódź", "ŁÓDŹ", "ódź", "lodz"], ["Łódź"]],
    ["Turkish", ["istanbul", "İSTANBUL", "ISTANBUL", "ıstanbul"], ["İstanbul"]],
    ["Greek", ["σίσυφος", "ΣΊΣΥΦΟΣ", "σίσυφοσ", "σισυφ"], ["Σίσυφος"]],
    ["Greek capitals", ["οδυσσευς", "οδυσσευσ", "Οδυσσεύς"], ["ΟΔΥΣΣΕΥΣ"]],
    ["Russian", ["привет", "ПРИВЕТ", "вет ми", "МИР"], ["Привет Мир"]],
    ["Russian ё", ["ёлка", "ЁЛКА", "елка"], ["Ёлка"]],
    ["Ukrainian", ["їжак", "ЇЖАК"], ["Їжак"]],
    ["Armenian", ["հայաստան", "ՀԱՅԱՍՏԱՆ"], ["Հայաստան"]],
    ["Deseret, beyond the basic plane", ["𐐨𐐩", "𐐀𐐩", "𐐩 DES"], ["𐐀𐐁 Deseret"]],
    ["the micro sign and the letter", ["µm", "μm", "ΜM"], ["5 µm"]],
    ["digraphs", ["ǆ di", "Ǆ di", "ǅ DI", "dz di"], ["Ǆ digraph"]],
    ["ligatures", ["ﬁne", "fine", "FINE LIG"], ["ﬁne ligature"]],
  ])("A search ignores case and accents in %s", async (_, queries, expected) => {
    for (const q of queries) expect(await found(q), q).toEqual(expected);
  });
});

describe("Different letters", () => {
  it.each([
    ["αβγ", []],
    ["写真と写真", []],
    ["aepfel", []],
    ["हन", []],
  ])("A search for %j does not match similar letters", async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });
});

describe("Scripts without case", () => {
  it.each([
    ["写", ["写真と動画"]],
    ["写真", ["写真と動画"]],
    ["真と動", ["写真と動画"]],
    ["한", ["한국어 사진"]],
    ["사진", ["한국어 사진"]],
    ["사진".normalize("NFD"), ["한국어 사진"]],
    ["ไทย", ["ไทย"]],
    ["שלום", ["שלום עולם"]],
    ["ם ע", ["שלום עולם"]],
    ["مرح", ["مرحبا"]],
    ["हिन्दी", ["हिन्दी"]],
  ])("A search for %j finds scripts without case unchanged", async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });
});

describe("Emoji", () => {
  it.each([
    ["🦊", ["🦊 fox"]],
    ["🦊 FOX", ["🦊 fox"]],
    ["👩‍👩‍👧", ["👩‍👩‍👧 family"]],
    ["👧", ["👩‍👩‍👧 family"]],
    ["👩", ["👩‍👩‍👧 family"]],
    ["👍🏽", ["👍🏽 good"]],
    ["👍", ["👍🏽 good"]],
    ["👍🏿", []],
    ["🇨🇭", ["🇨🇭 flag"]],
    ["🐺", []],
  ])("A search for %j finds the emoji", async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });
});

it("A search for a whole name finds it, in any script", async () => {
  for (const name of NAMES) expect(await found(`${name}.png`)).toContain(name);
});
