import { describe, expect, it } from "vitest";
import { foldText, searchNames, toGrams } from "../../../src/db/listing/search-grams.ts";

const ACCOUNT = "01hzy3v7k9q4r5s6t7v8w9x0ya";
const PREFIX = `uploads/${ACCOUNT}/`;

/** The grams of the path are shown with their mark. */
function grams(name: string, original = name): string[] {
  return toGrams(ACCOUNT, `${PREFIX}id-${name}`, original)
    .split("\n")
    .map((token) => {
      const marked = token.startsWith("/");
      expect(token.slice(marked ? 1 : 0).startsWith(ACCOUNT)).toBe(true);
      return (marked ? "/" : "") + token.slice(ACCOUNT.length + (marked ? 1 : 0));
    });
}

function search(text: string) {
  return searchNames(ACCOUNT, PREFIX, text);
}

/** A phrase of grams as `grams` shows them. */
function phrase(...shown: string[]): string {
  const tokens = shown.map((gram) => (gram.length === 4 ? `/${ACCOUNT}${gram.slice(1)}` : ACCOUNT + gram));
  return `"${tokens.join("\n")}"`;
}

describe("Grams", () => {
  it("A name's grams are its folded runs of three characters and its last two; id grams have a mark", () => {
    expect(grams("Äb.C")).toEqual(["//id", "/id-", "/d-a", "/-ab", "ab.", "b.c", ".c\u2028", "c\u2028\u2028"]);
  });

  it("Grams count characters, not code units", () => {
    expect(grams("🦊🐺🐻")).toContain("🦊🐺🐻");
  });

  it("Grams include the original name if it differs", () => {
    expect(grams("a.png", "a.gif")).toEqual([...grams("a.png"), "a.g", ".gi", "gif", "if\u2028", "f\u2028\u2028"]);
    expect(grams("A.png", "a.PNG")).toEqual(grams("a.png"));
  });

  it("The grams of the longest name fit into a statement", () => {
    const name = `${"~".repeat(196)}.png`;
    expect(toGrams(ACCOUNT, `${PREFIX}${ACCOUNT}-${name}`, name.replace("png", "gif")).length).toBeLessThan(20_000);
    // This character becomes eighteen characters when it is folded. D1 binds values of up to two million bytes.
    const longest = "\ufdfa".repeat(341);
    expect(toGrams(ACCOUNT, `${PREFIX}${ACCOUNT}-${longest}`, longest).length).toBeLessThan(400_000);
  });
});

describe("Search", () => {
  it("A search of three characters or more is a phrase of the account's grams", () => {
    expect(search("BÉAC")).toEqual({ found: "some", match: phrase("bea", "eac"), isPrefix: false });
  });

  it("A search of one or two characters is the beginning of a gram", () => {
    expect(search("~")).toEqual({ found: "some", match: `"${ACCOUNT}~" *`, isPrefix: true });
    expect(search("~A")).toEqual({ found: "some", match: `"${ACCOUNT}~a" *`, isPrefix: true });
  });

  it("A search of several words has each word once, and no word that is part of another", () => {
    const [beach, sun] = [phrase("bea", "eac", "ach"), phrase("sun")];
    expect(search("sun  beach SUN ea")).toEqual({ found: "some", match: `(${sun}) AND (${beach})`, isPrefix: false });
    expect(search("beach ~")).toEqual({ found: "some", match: `(${beach}) AND ("${ACCOUNT}~" *)`, isPrefix: true });
    expect(search(`sun ${PREFIX}`)).toEqual({ found: "some", match: `(${sun})`, isPrefix: false });
  });

  it("A search of more than eight words is one phrase", () => {
    const text = "a b c d e f g h i";
    expect(search(text)).toMatchObject({ found: "some", match: expect.not.stringContaining("AND") });
    expect(search(text.slice(2))).toMatchObject({ match: expect.stringContaining("AND") });
  });

  it("Quotes in a search text are doubled, as SQLite wants them", () => {
    expect(search('a"b')).toEqual({ found: "some", match: `"${ACCOUNT}a""b"`, isPrefix: false });
  });

  it.each(["/", ACCOUNT, PREFIX, "S/01H", ACCOUNT.slice(3, 11)])(
    "A search for %s, which begins every path, finds all",
    (text) => {
      expect(search(text)).toEqual({ found: "all" });
    },
  );

  it.each(["uploads", "0", "01hzy3v", ACCOUNT.slice(0, 7)])(
    "A search for %s, which is too short for a path, finds names only",
    (text) => {
      const { match = "" } = search(text) as { match?: string };
      expect(match).not.toContain("OR");
      expect(match).not.toContain(`/${ACCOUNT}`);
    },
  );

  it("A search of eight characters or more also finds ids, and an id followed by the name", () => {
    expect(search("01kx2345")).toMatchObject({
      found: "some",
      match: `${phrase("01k", "1kx", "kx2", "x23", "234", "345")} OR ${phrase("/01k", "/1kx", "/kx2", "/x23", "/234", "/345")}`,
    });
    expect(search("x0ya-b.c")).toMatchObject({
      found: "some",
      match: `${phrase("x0y", "0ya", "ya-", "a-b", "-b.", "b.c")} OR ${phrase("/x0y", "/0ya", "/ya-", "/a-b", "/-b.", "b.c")}`,
    });
    expect(search("two words")).toMatchObject({ found: "some", match: expect.not.stringContaining("OR") });
  });

  it("A search across the end of every path's prefix continues from its last slash", () => {
    const inPath = `" OR ${phrase("//01", "/01k", "/1kx")}`;
    for (const text of [`${PREFIX}01kx`, "/01kx", "ya/01kx"]) {
      expect(search(text)).toMatchObject({ found: "some", match: expect.stringContaining(inPath) });
    }
    expect(search("other/01kx")).toMatchObject({ found: "some", match: expect.not.stringContaining(" OR ") });
  });

  it.each(["a\nb", "a\0b", "b\u2028", "\u0301"])("A search for %j, which no name can have, finds no file", (text) => {
    expect(search(text)).toEqual({ found: "none" });
  });
});

describe("Folding", () => {
  it.each([
    ["Straße STRASSE STRAẞE", "strasse strasse strasse"],
    ["ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"],
    ["ÉTE\u0301 Café", "ete cafe"],
    ["İstanbul ısparta", "istanbul isparta"],
    ["Łódź København Œuvre Ærø", "lodz kobenhavn oeuvre aero"],
    ["Ёлка Йод Їжак", "елка иод іжак"],
    ["5 µm ﬁne ｆｕｌｌ ①", "5 μm fine full 1"],
    ["Ǆ ǅ ǆ", "dz dz dz"],
    ["❤️ 👍🏽 👩‍👩‍👧 🇨🇭", "❤ 👍🏽 👩‍👩‍👧 🇨🇭"],
    ["مُحَمَّد", "محمد"],
    ["が か\u3099 パ", "が が パ"],
    ["한국어 하", "한국어 하"],
    ["हिन्दी ไทย น้ำ", "हिन्दी ไทย น้ํา"],
  ])("Folding turns %s into %s", (text, folded) => {
    expect(foldText(text)).toBe(folded.normalize("NFC"));
  });

  it("Folding is idempotent, and makes the cases and forms of a letter equal", () => {
    for (let code = 0x20; code < 0x2_0000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const letter = String.fromCodePoint(code);
      const folded = foldText(letter);
      if (foldText(folded) !== folded) expect.fail(`${letter}: ${folded} is ${foldText(folded)}`);
      // Greek's iota below a letter is removed with its accents; in capitals it is a letter.
      if (/[\u0345\u1f80-\u1fff]/.test(letter)) continue;
      for (const form of [
        letter.toUpperCase(),
        letter.toLowerCase(),
        letter.normalize("NFD"),
        letter.normalize("NFKC"),
      ]) {
        if (foldText(form) !== folded) expect.fail(`${letter} is ${folded}, but ${form} is ${foldText(form)}`);
      }
    }
  });
});
