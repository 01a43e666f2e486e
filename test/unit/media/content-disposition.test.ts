import { describe, expect, it } from "vitest";
import { parseContentDisposition } from "../../../src/multipart/content-disposition.ts";
import { seeded } from "../../support/uploads/multipart.ts";

function filenameOf(parameters: string): string | undefined {
  const disposition = parseContentDisposition(`form-data; name="file"; ${parameters}`);
  expect(disposition).toMatchObject({ type: "form-data", name: "file" });
  return disposition?.filename;
}

describe("Content-Disposition of a part (RFC 7578, 4.2)", () => {
  it.each<[string, { type: string; name?: string; filename?: string } | undefined]>([
    ["form-data", { type: "form-data" }],
    ["form-data;", { type: "form-data" }],
    ['form-data; name="file"', { type: "form-data", name: "file" }],
    ['form-data; name="file";', { type: "form-data", name: "file" }],
    ['form-data; name="file" ; ', { type: "form-data", name: "file" }],
    ['form-data;name="file";filename="a.jpg"', { type: "form-data", name: "file", filename: "a.jpg" }],
    ['form-data;\tname = "file"\t; filename =\t"a.jpg"', { type: "form-data", name: "file", filename: "a.jpg" }],
    ["form-data; name=file; filename=a.jpg", { type: "form-data", name: "file", filename: "a.jpg" }],
    ["form-data; name=file; filename=my photo.jpg ", { type: "form-data", name: "file", filename: "my photo.jpg" }],
    ['form-data; filename="a.jpg"; name="file"', { type: "form-data", name: "file", filename: "a.jpg" }],
    ['FORM-DATA; NAME="File"; FileName="A.jpg"', { type: "form-data", name: "File", filename: "A.jpg" }],
    ['form-data; name=""; filename=""', { type: "form-data", name: "", filename: "" }],
    ["form-data; name=; filename=", { type: "form-data", name: "", filename: "" }],
    ['form-data; x="name=no"; name="file"; y=1', { type: "form-data", name: "file" }],
    ['form-data; name="file"; xname="no"; xfilename="no"', { type: "form-data", name: "file" }],
    ['form-data; name="a"; name="b"; filename="1"; filename="2"', { type: "form-data", name: "a", filename: "1" }],
    ['form-data; name="__proto__"; constructor="x"', { type: "form-data", name: "__proto__" }],
    ['attachment; filename="a.jpg"', { type: "attachment", filename: "a.jpg" }],
    ["", undefined],
    [" ", undefined],
    [";", undefined],
    ['; name="file"', undefined],
    ['"form-data"; name="file"', undefined],
    ['form-data name="file"', undefined],
    ['form-data, name="file"', undefined],
    ['form-data; name="file" filename="a.jpg"', undefined],
    ['form-data; name="file"a; filename="a.jpg"', undefined],
    ['form-data; name="file', undefined],
    ['form-data; name=file"', undefined],
    ['form-data; name="file\\"', undefined],
    ["form-data; name", undefined],
    ['form-data; ="file"', undefined],
    ['form-data; name="file"; filename', undefined],
    ['form-data; name="file"\r\nfilename="a.jpg"', undefined],
  ])("The header %j is read as %j", (header, disposition) => {
    expect(parseContentDisposition(header)).toEqual(disposition);
  });
});

describe("Quoted file names", () => {
  it.each([
    // RFC 9110, 5.6.4: a backslash escapes a quote, and itself.
    ['"say \\"cheese\\".jpg"', 'say "cheese".jpg'],
    ['"a\\\\b.jpg"', "a\\b.jpg"],
    ['"\\\\\\".jpg"', '\\".jpg'],
    // Any other backslash belongs to a path.
    ['"C:\\fakepath\\new.jpg"', "C:\\fakepath\\new.jpg"],
    ['"a\\;b.jpg"', "a\\;b.jpg"],
    // WHATWG HTML: these three are percent-encoded, and nothing else.
    ['"say %22cheese%22.jpg"', 'say "cheese".jpg'],
    ['"a%0D%0ab.jpg"', "a\r\nb.jpg"],
    ['"100%25 %2e%2E%2F%00 %e2%82%ac.jpg"', "100%25 %2e%2E%2F%00 %e2%82%ac.jpg"],
    ['"%2522 .jpg"', "%2522 .jpg"],
    ['"100%.jpg"', "100%.jpg"],
    // Separators within quotes do not separate.
    ['"a;b=c; filename=d.jpg"', "a;b=c; filename=d.jpg"],
    ['" a.jpg "', " a.jpg "],
    ['"写真 🦊 é.jpg"', "写真 🦊 é.jpg"],
    ['"=?UTF-8?B?4oKs?=.jpg"', "=?UTF-8?B?4oKs?=.jpg"],
  ])("The quoted file name %s is %j", (quoted, filename) => {
    expect(filenameOf(`filename=${quoted}`)).toBe(filename);
  });

  it.each([
    // aiohttp: `quote(name, "")` of Python, in UTF-8.
    ['"na%C3%AFve%20photo%20%281%29.png"', "naïve photo (1).png"],
    ['"%E5%86%99%E7%9C%9F.jpg"', "写真.jpg"],
    ['"100%25.jpg"', "100%.jpg"],
    ['"%2522.jpg"', "%22.jpg"],
    ['"plain_name-1~2.jpg"', "plain_name-1~2.jpg"],
    // A name that only looks encoded stays: a part of it is not encoded, need not be, or is not as `quote` writes it.
    ['"my photo%20.jpg"', "my photo%20.jpg"],
    ['"na%c3%afve.png"', "na%c3%afve.png"],
    ['"%41.jpg"', "%41.jpg"],
    ['"%FF.jpg"', "%FF.jpg"],
    ['"%C3.jpg"', "%C3.jpg"],
    ['"(1)%20.jpg"', "(1)%20.jpg"],
    // Decoding gives no path and no control character.
    ['"..%2F..%2Fetc.jpg"', "..%2F..%2Fetc.jpg"],
    ['"a%5Cb.jpg"', "a%5Cb.jpg"],
    ['"a%00b.jpg"', "a%00b.jpg"],
  ])("A file name that is wholly percent-encoded is decoded once: %s is %j", (quoted, filename) => {
    expect(filenameOf(`filename=${quoted}`)).toBe(filename);
  });

  it.each([
    ["curl", 'filename="say %22cheese%22 é.jpg"', 'say "cheese" é.jpg'],
    ["curl before 7.81, Go", 'filename="say \\"cheese\\" é.jpg"', 'say "cheese" é.jpg'],
    ["browsers, Node, httpx, urllib3 2", 'filename="写真 %22a%22 100%.jpg"', '写真 "a" 100%.jpg'],
    ["urllib3 1", "filename*=utf-8''na%C3%AFve%20photo.jpg", "naïve photo.jpg"],
    [".NET", "filename=\"=?utf-8?B?bmHDr3ZlLmpwZw==?=\"; filename*=utf-8''na%C3%AFve.jpg", "naïve.jpg"],
    ["aiohttp", 'filename="na%C3%AFve%20photo.jpg"', "naïve photo.jpg"],
    ["a script's Blob", 'filename="blob"', "blob"],
  ])("A file name is read as %s writes it", (_, parameters, filename) => {
    expect(filenameOf(parameters)).toBe(filename);
  });

  it("A file name is unescaped in the same way as its field's name", () => {
    expect(parseContentDisposition('form-data; name="a%22b\\"c"')?.name).toBe('a"b"c');
  });
});

describe("Extended file names (RFC 6266, 4.3; RFC 8187, once 5987)", () => {
  it.each([
    ["UTF-8''%e2%82%ac%20rates.jpg", "€ rates.jpg"],
    ["utf-8'en'%E2%82%AC.jpg", "€.jpg"],
    ["UTF-8'de-DE'%c3%a9.jpg", "é.jpg"],
    ["iso-8859-1'en'%A3%20rates.jpg", "£ rates.jpg"],
    ["ISO-8859-1''na%EFve.jpg", "naïve.jpg"],
    ["UTF-8''a'b.jpg", "a'b.jpg"],
    ["UTF-8''a%22%3b%2f%0a.jpg", 'a";/\n.jpg'],
    ["UTF-8''%2522.jpg", "%22.jpg"],
    ["UTF-8''%F0%9F%A6%8A.jpg", "🦊.jpg"],
    ["\"UTF-8''a%20b.jpg\"", "a b.jpg"],
    ["UTF-8''", ""],
  ])("The extended file name %s is %j, before and after the plain one", (extended, filename) => {
    expect(filenameOf(`filename*=${extended}`)).toBe(filename);
    expect(filenameOf(`filename*=${extended}; filename="plain.jpg"`)).toBe(filename);
    expect(filenameOf(`filename="plain.jpg"; filename*=${extended}`)).toBe(filename);
  });

  it.each([
    "UTF-8''%e2%82",
    "UTF-8''%ff.jpg",
    "UTF-8''%c0%af.jpg",
    "UTF-8''%ed%a0%80.jpg",
    "UTF-8''%zz.jpg",
    "UTF-8''100%.jpg",
    "UTF-8''%",
    "iso-8859-1''%zz.jpg",
    "iso-8859-1''%u202egpj.exe",
    "iso-8859-1''100%",
    "koi8-r''%C1.jpg",
    "UTF-8'a.jpg",
    "UTF-8a.jpg",
    "''a.jpg",
    "'",
    "",
  ])("The extended file name %j is malformed, so the plain one counts", (extended) => {
    expect(filenameOf(`filename*=${extended}; filename="plain.jpg"`)).toBe("plain.jpg");
    expect(filenameOf(`filename="plain.jpg"; filename*=${extended}`)).toBe("plain.jpg");
    expect(filenameOf(`filename*=${extended}`)).toBeUndefined();
  });
});

describe("Very long headers", () => {
  it("A very long header is read whole", () => {
    const long = "x".repeat(16_000);
    expect(filenameOf(`filename="${long}"`)).toBe(long);
    expect(filenameOf(`filename=${long}`)).toBe(long);
    expect(filenameOf(`filename="${'\\"'.repeat(8000)}"`)).toBe('"'.repeat(8000));
    expect(filenameOf(`filename*=UTF-8''${"%41".repeat(5000)}`)).toBe("A".repeat(5000));
    expect(filenameOf(`${"x=1; ".repeat(3000)}filename="a.jpg"`)).toBe("a.jpg");
  });

  it("A very long header is read in time linear in its length", () => {
    const hostile = [" ", "\t", ";", "; ", "=", '"', "\\", '\\"', ";a", ";a=", '; a="', ";a=b ", "%", "; x=1", "a"];
    const openings = ["form-data", "form-data;", "form-data; a=", 'form-data; a="', "form-data; filename*=u''"];
    const readAll = (length: number) => {
      for (const filler of hostile) {
        const long = filler.repeat(length / filler.length);
        parseContentDisposition(long);
        for (const opening of openings) {
          parseContentDisposition(`${opening}${long}`);
          parseContentDisposition(`${opening}${long}"!`);
        }
      }
    };
    const timeOf = (length: number, times: number) => {
      const started = performance.now();
      for (let time = 0; time < times; time++) readAll(length);
      return performance.now() - started;
    };
    // The best of several runs with as much text in each: load on the machine delays longer runs more often. Quadratic time would be eight
    // times as long.
    const best = (length: number, times: number) => Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(length, times)));
    expect(best(80_000, 1)).toBeLessThan(3 * Math.max(1, best(10_000, 8)));
  });
});

/** The name as a browser writes it (WHATWG HTML, multipart/form-data encoding). */
function asBrowser(name: string): string {
  return `"${name.replace(/["\r\n]/g, (char) => ({ '"': "%22", "\r": "%0D" })[char] ?? "%0A")}"`;
}

it("Every name that clients send is read unchanged", () => {
  const random = seeded(5);
  const pieces = ["a", " ", ".", "'", '"', ";", "=", "/", "*", "é", "写", "🦊", "%", "%2", "\n", "\r", "name"];
  for (let round = 0; round < 2000; round++) {
    const name = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
    expect(filenameOf(`filename=${asBrowser(name)}`)).toBe(name);
    expect(filenameOf(`filename="${name.replace(/"/g, '\\"')}"`)).toBe(name);
    expect(filenameOf(`filename*=UTF-8''${encodeURIComponent(name)}`)).toBe(name);
  }
});

it("Random headers are read without an error", () => {
  const random = seeded(6);
  const words = ["form-data", "; ", "name", "filename", "*", "=", '"', "\\", "UTF-8''", "%", "%e2", "'", "\r\n", "\0"];
  for (let round = 0; round < 3000; round++) {
    const header = Array.from({ length: random(15) }, () => words[random(words.length)]).join("");
    const opening = random(2) === 0 ? "" : 'form-data; name="file"; ';
    const disposition = parseContentDisposition(opening + header);
    if (disposition === undefined) continue;
    for (const [key, value] of Object.entries(disposition)) {
      expect(["type", "name", "filename"]).toContain(key);
      expect(typeof value, header).toBe("string");
    }
  }
});
