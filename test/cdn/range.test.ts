import { describe, expect, it } from "vitest";
import { contentRange, parseRange, resolveRange } from "../../src/cdn/range.ts";
import { BOUNDED_MS } from "../support/bounded-time.ts";

/** First and last byte sent of a file of this size; "whole" if the header is ignored, 416 if it is unsatisfiable. */
function answer(header: string | null, sizeBytes: number): readonly [number, number] | "whole" | 416 {
  const range = parseRange(header);
  if (range === undefined) return "whole";
  const part = resolveRange(range, sizeBytes);
  return part === undefined ? 416 : [part.offset, part.offset + part.length - 1];
}

describe("Single ranges (RFC 9110, 14.1.2)", () => {
  // The examples of the RFC are for a representation of 10,000 bytes.
  it.each([
    ["bytes=0-499", [0, 499]],
    ["bytes=500-999", [500, 999]],
    ["bytes=-500", [9500, 9999]],
    ["bytes=9500-", [9500, 9999]],
    ["bytes=0-0", [0, 0]],
    ["bytes=-1", [9999, 9999]],
    ["bytes=0-", [0, 9999]],
    ["bytes=9999-9999", [9999, 9999]],
    ["bytes=9999-10000", [9999, 9999]],
    ["bytes=9000-99999", [9000, 9999]],
    ["bytes=-10000", [0, 9999]],
    ["bytes=-10001", [0, 9999]],
    ["bytes=000-0499", [0, 499]],
    ["BYTES=0-499", [0, 499]],
    ["Bytes=-500", [9500, 9999]],
    // Empty list elements are ignored (RFC 9110, 5.6.1.2).
    ["bytes=,4-9", [4, 9]],
    ["bytes=4-9,", [4, 9]],
    ["bytes=,, ,\t4-9 , ,", [4, 9]],
    ["bytes=,-9", [9991, 9999]],
    ["bytes=,9990-", [9990, 9999]],
  ])("The range %s is bytes %j", (header, expected) => {
    expect(answer(header, 10_000)).toEqual(expected);
  });

  it.each(["bytes=10000-", "bytes=10000-10000", "bytes=10001-20000", "bytes=-0", "bytes=-000"])(
    "The range %s is unsatisfiable for 10,000 bytes",
    (header) => {
      expect(answer(header, 10_000)).toBe(416);
    },
  );
});

describe("Ignored ranges (RFC 9110, 14.2)", () => {
  it.each([
    null,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=--1",
    "bytes=a-b",
    "bytes=0-b",
    "bytes=1.5-2",
    "bytes=+1-2",
    "bytes=0x1-0x2",
    "bytes=1e2-1e3",
    "bytes=٠-٩",
    "bytes = 0-1",
    "bytes= 0-1",
    "bytes:0-1",
    "0-1",
    "=0-1",
    "bytes=500-499",
    "bytes=0-1-2",
    "bytes=-1-2",
    "items=0-1",
    "bytesx=0-1",
    "xbytes=0-1",
    "bytes=,",
    "bytes=,,,",
    "bytes=,0-1 2-3",
    "bytes=,4-9,5",
    "bytes=0-499,500-999",
    "bytes=0-499,,500-999",
    "bytes=0-0, -1",
    "bytes=0-0, bytes=5-6",
    "bytes=0-1\nbytes=2-3",
    "none",
  ])("The range %j is ignored, and the whole file is sent", (header) => {
    expect(answer(header, 10_000)).toBe("whole");
  });
});

describe("Huge numbers", () => {
  const nines = "9".repeat(400);

  it("A last position after the file's end is clamped to the file", () => {
    expect(answer(`bytes=5-${nines}`, 100)).toEqual([5, 99]);
    expect(answer("bytes=5-9007199254740991", 100)).toEqual([5, 99]);
    expect(answer("bytes=5-9007199254740993", 100)).toEqual([5, 99]);
  });

  it("A suffix longer than every file is the whole file", () => {
    expect(answer(`bytes=-${nines}`, 100)).toEqual([0, 99]);
  });

  it("A first position after every file's end is unsatisfiable", () => {
    expect(answer(`bytes=${nines}-`, 100)).toBe(416);
    expect(answer(`bytes=${nines}-${nines}`, 100)).toBe(416);
  });

  it("R2 gets safe integers only", () => {
    for (const header of [`bytes=${nines}-`, `bytes=-${nines}`, `bytes=0-${nines}`, "bytes=1-9007199254740990"]) {
      for (const value of Object.values(parseRange(header) ?? {})) expect(Number.isSafeInteger(value)).toBe(true);
    }
  });

  it("A range header of a megabyte is read at once", () => {
    const started = performance.now();
    for (const filler of ["9", "0", "-", ",", " ", "0-1,", "=", "\t,"]) {
      const header = `bytes=${filler.repeat(1_000_000 / filler.length)}`;
      parseRange(header);
      parseRange(`${header}x`);
    }
    expect(performance.now() - started).toBeLessThan(BOUNDED_MS);
  });
});

describe("Empty files", () => {
  it.each(["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0"])("An empty file has no byte for %s", (header) => {
    expect(answer(header, 0)).toBe(416);
  });
});

it("Content-Range contains the part and the whole (RFC 9110, 14.4)", () => {
  expect(contentRange({ offset: 42, length: 1192 }, 1234)).toBe("bytes 42-1233/1234");
  expect(contentRange({ offset: 0, length: 1 }, 1)).toBe("bytes 0-0/1");
});
