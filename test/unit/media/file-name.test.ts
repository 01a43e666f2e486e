import { describe, expect, it } from "vitest";
import { toCleanFileName, toSafeFileName } from "../../../src/domain/object-key.ts";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { seeded, utf8 } from "../../support/uploads/multipart.ts";

const MAX_BYTES = 200;
const FAMILY = "👩‍👩‍👧";

describe("File names", () => {
  it.each([
    // A path is left out, of any system.
    ["../../etc/passwd", "passwd.jpg"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["/srv/photo.jpg", "photo.jpg"],
    ["C:\\fakepath\\photo.jpg", "photo.jpg"],
    ["\\\\server\\share\\photo.jpg", "photo.jpg"],
    ["a/b\\c/d.jpg", "d.jpg"],
    ["a\\b/c\\d.jpg", "d.jpg"],
    ["..a/..\\..b.jpg", "b.jpg"],
    // A name that only looks like a path or an escape is kept.
    ["..%2f..%2fa.jpg", "%2f..%2fa.jpg"],
    ["a%2Fb%5cc%00d%0d%0a.jpg", "a%2Fb%5cc%00d%0d%0a.jpg"],
    ["100%.jpg", "100%.jpg"],
    ["a..b...jpg", "a..b...jpg"],
    // Characters that are special to a shell, a URL or Windows stay, because they are escaped when they are used.
    ['say "cheese" & it\'s <b>.jpg', 'say "cheese" & it\'s <b>.jpg'],
    ['a<b>c:d"e|f?g*h.jpg', 'a<b>c:d"e|f?g*h.jpg'],
    ["CON.jpg", "CON.jpg"],
    ["a?b#c&d=e+f;g,h@i!j$k`l{m}[n](o)~p^.jpg", "a?b#c&d=e+f;g,h@i!j$k`l{m}[n](o)~p^.jpg"],
    // Control characters.
    ["a\r\nSet-Cookie: b=c\r\n.jpg", "aSet-Cookie: b=c.jpg"],
    ["a\0.php\0.jpg", "a.php.jpg"],
    ["a\tb\x1b[31mc\x7fd\x85e\x9f.jpg", "ab[31mcde.jpg"],
    ["a\u2028b\u2029c.jpg", "abc.jpg"],
    // Scripts and emoji stay complete.
    ["写真 été שלום مرحبا.jpg", "写真 été שלום مرحبا.jpg"],
    ["e\u0301 and \u00e9.jpg", "e\u0301 and \u00e9.jpg"],
    [`🦊 ${FAMILY} 🇩🇪 👍🏽 1️⃣.jpg`, `🦊 ${FAMILY} 🇩🇪 👍🏽 1️⃣.jpg`],
    ["می\u200cخواهم.jpg", "می\u200cخواهم.jpg"],
    // Characters that make a name look different from its bytes.
    ["photo\u202egpj.exe", "photogpj.exe"],
    ["\u202aa\u202bb\u202cc\u202dd\u2066e\u2067f\u2068g\u2069h\u200ei\u200fj\u061ck.jpg", "abcdefghijk.jpg"],
    ["\ufeffphoto.jpg", "photo.jpg"],
    // Half a character.
    ["a\ud83db\udc00c.jpg", "abc.jpg"],
    ["\udc00\ud83d.jpg", "jpg.jpg"],
    ["a\ud83d\u202e\udc00b.jpg", "ab.jpg"],
    ["\ud83d\ud83d\ude00\ude00.jpg", "😀.jpg"],
    // Dots and spaces at the ends.
    [".htaccess", "htaccess.jpg"],
    ["...a.jpg", "a.jpg"],
    [" . .\u00a0.\u3000a.jpg \t\n", "a.jpg"],
    ["\u202e..\0./\u202e.\0.a.jpg", "a.jpg"],
    ["a", "a.jpg"],
    ["a.", "a.jpg"],
    ["blob", "blob.jpg"],
    ["Mr. Smith", "Mr. Smith.jpg"],
    ["photo.txt", "photo.txt"],
    ["v1.0", "v1.0"],
  ])("The file name %j is kept as %j", (uploaded, kept) => {
    expect(toSafeFileName(uploaded, "image/jpeg")).toBe(kept);
  });

  it.each(["", ".", "..", "...", ".".repeat(5000), "/", "a/", "\\", "../..\\", "\0", "\u202e", " ", " . ", "\ud800"])(
    "A file name with no usable character is replaced: %j",
    (uploaded) => {
      expect(toSafeFileName(uploaded, "image/jpeg")).toBe("file.jpg");
      expect(toSafeFileName(uploaded, "video/quicktime")).toBe("file.mov");
    },
  );
});

describe("Long file names", () => {
  it.each([
    ["letters", `${"x".repeat(5000)}.jpg`, `${"x".repeat(196)}.jpg`],
    ["two-byte letters", `${"é".repeat(2500)}.jpg`, `${"é".repeat(98)}.jpg`],
    ["three-byte letters", `${"写".repeat(1700)}.jpg`, `${"写".repeat(65)}.jpg`],
    ["emoji", `${"🦊".repeat(1250)}.jpg`, `${"🦊".repeat(49)}.jpg`],
    ["joined emoji", `${FAMILY.repeat(280)}.jpg`, `${FAMILY.repeat(10)}.jpg`],
    ["flags", `x${"🇩🇪".repeat(600)}.jpg`, `x${"🇩🇪".repeat(24)}.jpg`],
    ["dots", `a${".".repeat(5000)}b`, `a${".".repeat(198)}b`],
    ["many extensions", `a${".jpg".repeat(1250)}`, `a${".jpg".repeat(48)}.jp.jpg`],
    ["an extension", `a.${"p".repeat(5000)}`, `a.${"p".repeat(194)}.jpg`],
    ["an extension of 16 bytes", `${"x".repeat(5000)}.${"p".repeat(15)}`, `${"x".repeat(184)}.${"p".repeat(15)}`],
    ["an extension of 17 bytes", `${"x".repeat(5000)}.${"p".repeat(16)}`, `${"x".repeat(196)}.jpg`],
    ["no extension", "x".repeat(5000), `${"x".repeat(196)}.jpg`],
    ["spaces before its extension", `a${" ".repeat(5000)}.jpg`, "a.jpg"],
    ["an accent at the cut", `${"x".repeat(195)}e\u0301`, `${"x".repeat(195)}.jpg`],
    ["a keycap at the cut", `${"x".repeat(195)}1\ufe0f\u20e3.jpg`, `${"x".repeat(195)}.jpg`],
    ["a tone of skin at the cut", `${"x".repeat(195)}e\u{1f3fd}`, `${"x".repeat(195)}.jpg`],
    ["one letter with many accents", `a${"\u0301".repeat(2500)}.jpg`, `a${"\u0301".repeat(97)}.jpg`],
    ["one letter with many accents alone", `a${"\u0301".repeat(2500)}`, `a${"\u0301".repeat(97)}.jpg`],
    ["one chain of joined emoji", `${"👩‍".repeat(900)}👩.jpg`, `${"👩‍".repeat(28)}.jpg`],
  ])("A long file name of %s is cut between characters, and keeps its extension", (_, uploaded, kept) => {
    expect(toSafeFileName(uploaded, "image/jpeg")).toBe(kept);
  });

  it("A file name of exactly the longest length is not cut", () => {
    for (const fits of [`${"x".repeat(196)}.jpg`, `${"🦊".repeat(49)}.jpg`, `${"x".repeat(195)}.jpeg`]) {
      expect(utf8(fits)).toHaveLength(MAX_BYTES);
      expect(toSafeFileName(fits, "image/jpeg")).toBe(fits);
    }
  });

  it("A far too long file name is cut in bounded time", () => {
    const started = performance.now();
    for (const piece of ["x", ".", " ", "/", "\\", "\u202e", "\ud83d", "\udc00", "\u0301", FAMILY, "a. ", "../"]) {
      const name = piece.repeat(1_000_000 / piece.length);
      for (const uploaded of [name, `${name}.jpg`, `a${name}`, `a${name}b`, `a/${name}`]) {
        expect(utf8(toSafeFileName(uploaded, "image/png")).length).toBeLessThanOrEqual(MAX_BYTES);
      }
    }
    expect(performance.now() - started).toBeLessThan(BOUNDED_MS);
  });
});

const PIECES = [
  "a",
  "B",
  "9",
  ".",
  "..",
  " ",
  "/",
  "\\",
  ":",
  "%2f",
  '"',
  "'",
  "\r\n",
  "\0",
  "\u00a0",
  "\u202e",
  "\u200d",
];
const WIDE_PIECES = [
  "\ud83d",
  "\udc00",
  "\u0301",
  "é",
  "写",
  "ש",
  "🦊",
  FAMILY,
  "🇩🇪",
  "\ufeff",
  "x".repeat(60),
  ".jpg",
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f/\\\u202a-\u202e\u2066-\u2069]/;

it("Every name becomes a safe one, and a safe name stays unchanged", () => {
  const random = seeded(7);
  const pieces = [...PIECES, ...WIDE_PIECES];
  for (let round = 0; round < 3000; round++) {
    const length = random(round % 10 === 0 ? 150 : 12);
    const uploaded = Array.from({ length }, () => pieces[random(pieces.length)]).join("");
    const told = JSON.stringify(uploaded);
    const safe = toSafeFileName(uploaded, "image/webp");
    expect(safe.length, told).toBeGreaterThan(0);
    expect(utf8(safe).length, told).toBeLessThanOrEqual(MAX_BYTES);
    expect(safe.isWellFormed(), told).toBe(true);
    expect(safe, told).not.toMatch(UNSAFE);
    expect(safe, told).not.toMatch(/^[.\s]|\s$/);
    expect(toSafeFileName(safe, "image/webp"), told).toBe(safe);
  }
});

describe("Original names", () => {
  it.each([
    [".hidden", ".hidden"],
    ["...three.png", "...three.png"],
    [" spaces .png ", " spaces .png "],
    ["a.", "a."],
    ["blob", "blob"],
    ["/srv/.hidden", ".hidden"],
    ["C:\\fakepath\\photo.jpg", "photo.jpg"],
    ["a\r\nb\0.jpg", "ab.jpg"],
    ["photo\u202egpj.exe", "photogpj.exe"],
    ["", "file.jpg"],
    ["/", "file.jpg"],
    ["..", "file.jpg"],
    ["../.", "file.jpg"],
    ["\u202e", "file.jpg"],
  ])("An original name loses only a path, control and bidirectional characters: %j is %j", (uploaded, kept) => {
    expect(toCleanFileName(uploaded, "image/jpeg")).toBe(kept);
    expect(toCleanFileName(kept, "image/jpeg")).toBe(kept);
  });
});
