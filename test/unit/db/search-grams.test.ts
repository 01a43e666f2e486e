import { describe, expect, it } from "vitest";
import { foldCase, searchNames, toGrams } from "../../../src/db/search-grams.ts";

const ACCOUNT = "01hzy3v7k9q4r5s6t7v8w9x0ya";
const PREFIX = `uploads/${ACCOUNT}/`;

function grams(name: string, original = name): string[] {
  return toGrams(ACCOUNT, `${PREFIX}id-${name}`, original)
    .split("\n")
    .map((token) => {
      expect(token.startsWith(ACCOUNT)).toBe(true);
      return token.slice(ACCOUNT.length);
    });
}

function search(text: string) {
  return searchNames(ACCOUNT, PREFIX, text);
}

describe("the grams of a name", () => {
  it("are its runs of three characters, in lower case, and one for each of the last two", () => {
    expect(grams("Ab.C")).toEqual(["/id", "id-", "d-a", "-ab", "ab.", "b.c", ".c\u2028", "c\u2028\u2028"]);
  });

  it("count characters, not code units", () => {
    expect(grams("🦊🐺🐻")).toContain("🦊🐺🐻");
  });

  it("are of the original name too where it is another", () => {
    expect(grams("a.png", "a.gif")).toEqual([...grams("a.png"), "a.g", ".gi", "gif", "if\u2028", "f\u2028\u2028"]);
  });

  it("of the longest name fit into a statement", () => {
    const name = `${"~".repeat(196)}.png`;
    expect(toGrams(ACCOUNT, `${PREFIX}${ACCOUNT}-${name}`, name.replace("png", "gif")).length).toBeLessThan(20_000);
  });
});

describe("a search", () => {
  it("of three characters or more is a phrase of the account's grams", () => {
    expect(search("BEAC")).toEqual({ found: "some", match: `"${ACCOUNT}bea\n${ACCOUNT}eac"` });
  });

  it("of one or two is the beginning of a gram", () => {
    expect(search("~")).toEqual({ found: "some", match: `"${ACCOUNT}~" *` });
    expect(search("~A")).toEqual({ found: "some", match: `"${ACCOUNT}~a" *` });
  });

  it("has its quotes doubled", () => {
    expect(search('a"b')).toEqual({ found: "some", match: `"${ACCOUNT}a""b"` });
  });

  it.each(["uploads", "/", ACCOUNT, PREFIX, "0", "S/01H"])(
    "for %s, which begins every stored name, finds all",
    (text) => {
      expect(search(text)).toEqual({ found: "all" });
    },
  );

  it("over the end of what begins every stored name goes on from its last slash", () => {
    expect(search(`${PREFIX}01kx`)).toEqual(search("/01kx"));
    expect(search("ya/01kx")).toEqual(search("/01kx"));
  });

  it.each(["other/01kx", "z/b", "a\nb", "a\0b", "b\u2028", "uploads/x"])(
    "for %j, which no name can have, finds none",
    (text) => {
      expect(search(text)).toEqual({ found: "none" });
    },
  );
});

describe("case folding", () => {
  it.each([
    ["Straße", "straße"],
    ["STRAẞE", "straße"],
    ["ΣΊΣΥΦΟΣ", "σίσυφοσ"],
    ["σίσυφος", "σίσυφοσ"],
    ["ÉTE\u0301", "été"],
    ["µ", "μ"],
    ["İ", "İ"],
    ["ﬁ", "ﬁ"],
    ["🦊A", "🦊a"],
  ])("makes %s %s", (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });
});
