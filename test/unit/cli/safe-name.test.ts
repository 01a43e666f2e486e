import { describe, expect, it } from "vitest";
import { marked, nameKey, safeName } from "../../../src/cli/pull/safe-name.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

// Names that strangers chose become names of files on a person's disk.

describe("safeName", () => {
  it.each([
    ["photo.jpg", "photo.jpg"],
    ["Grüße aus Köln.jpg", "Grüße aus Köln.jpg"],
    ["e\u0301.jpg", "é.jpg"],
    ["..", "_"],
    [".", "_"],
    ["", "_"],
    ["   ", "_"],
    ["../../etc/passwd", ".._.._etc_passwd"],
    ["..\\..\\boot.ini", ".._.._boot.ini"],
    ["a:b?.jpg", "a_b_.jpg"],
    ["C:\\x.jpg", "C__x.jpg"],
    ["name.", "name_"],
    ["name. . ", "name_"],
    ["CON", "_CON"],
    ["con.jpg", "_con.jpg"],
    ["aux .jpg", "_aux .jpg"],
    ["COM¹.png", "_COM¹.png"],
    ["console.jpg", "console.jpg"],
    ["a\u0000b\n.jpg", "a_b_.jpg"],
    ["gpj.\u202eexe", "gpj._exe"],
    [".hidden", ".hidden"],
    ["\ud800.jpg", "_.jpg"],
  ])("%j becomes %j", (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  it("A long name is cut before its extension, and never within a character", () => {
    const name = safeName(`${"é😀".repeat(100)}.jpeg`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
    expect(name).toMatch(/^(é😀)+é?\.jpeg$/u);
    expect(Buffer.byteLength(marked(name, "0".repeat(26)))).toBeLessThanOrEqual(255);
  });

  it("No name is a path, a device or a name that Windows changes, and a safe name stays as it is", () => {
    const random = seededRandom(7);
    const letters = ["a", ".", " ", "/", "\\", ":", "\0", "\u202e", "é", "😀", "\ud83d", "CON", "nul", "\n", "*", "_"];
    for (let tries = 0; tries < 20_000; tries += 1) {
      const name = Array.from({ length: random() * 8 }, () => letters[Math.floor(random() * letters.length)]).join("");
      const safe = safeName(name);
      expect(safe).not.toMatch(/[/\\:*?"<>|\p{Cc}]|[. ]$|^$|^(con|nul)\s*(\.|$)/iu);
      expect(safe).not.toMatch(/^\.{1,2}$/);
      expect(safeName(safe)).toBe(safe);
    }
  });
});

describe("nameKey", () => {
  it.each([
    ["A.jpg", "a.JPG"],
    ["é.jpg", "e\u0301.jpg"],
    ["STRASSE.jpg", "straße.jpg"],
    ["Σ.jpg", "ς.jpg"],
  ])("%j and %j are one file on some systems", (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });
});
