import { describe, expect, it } from "vitest";
import { readAppleBoost, reduceAppleNotes } from "../../../src/media/exif/apple-notes.ts";
import { exifOf } from "../../support/jpeg/exif-entries.ts";
import { APPLE_SECRET, appleNotes } from "../../support/jpeg/hdr-photos.ts";

const NOTES = Buffer.from(appleNotes());
/** Signature, directory of two entries, two fractions. */
const REDUCED_BYTES = 14 + 2 + 2 * 12 + 4 + 2 * 8;

const exifWith = (order: "II" | "MM", notes: Uint8Array) => exifOf(order, [], [[0x927c, 7, [...notes]]]);

describe("Apple's maker notes", () => {
  it("Reduced notes have the boost and nothing else", () => {
    const reduced = Buffer.from(reduceAppleNotes(NOTES) ?? []);
    expect(reduced.length).toBe(REDUCED_BYTES);
    expect(reduced.includes(APPLE_SECRET)).toBe(false);
    expect(reduced.readUInt16BE(14)).toBe(2);
    const fractionAt = (at: number) => reduced.readInt32BE(at) / reduced.readInt32BE(at + 4);
    expect([reduced.readUInt16BE(16), fractionAt(reduced.readUInt32BE(24))]).toEqual([0x21, 1.5]);
    expect([reduced.readUInt16BE(28), fractionAt(reduced.readUInt32BE(36))]).toEqual([0x30, 0.005]);
  });

  it("Reduced notes reduce to themselves", () => {
    const reduced = reduceAppleNotes(NOTES) ?? new Uint8Array();
    expect(reduceAppleNotes(reduced)).toEqual(reduced);
  });

  it.each(["II", "MM"] as const)("Notes in Exif of byte order %s are found", (order) => {
    expect(readAppleBoost(exifWith(order, NOTES))).toEqual(reduceAppleNotes(NOTES));
  });

  it("Notes that are cut off anywhere are dropped, or have whole values", () => {
    for (let end = 0; end < NOTES.length; end++) {
      const length = reduceAppleNotes(NOTES.subarray(0, end))?.length;
      expect([undefined, REDUCED_BYTES - 20, REDUCED_BYTES]).toContain(length);
    }
  });

  it("Exif that is cut off anywhere has no notes", () => {
    const exif = exifWith("MM", NOTES);
    for (let end = 0; end < exif.length; end++) expect(readAppleBoost(exif.subarray(0, end))).toBeUndefined();
  });

  it.each([
    ["another maker's", Buffer.from(NOTES.toString("latin1").replace("Apple", "Apply"), "latin1")],
    [
      "without a boost",
      Buffer.from(
        NOTES.toString("latin1").replace("\0\x21\0\x0a", "\0\x22\0\x0a").replace("\0\x30\0\x0a", "\0\x31\0\x0a"),
        "latin1",
      ),
    ],
    [
      "with an offset beyond their end",
      Buffer.from(NOTES.toString("latin1").replaceAll("\0\x0a\0\0\0\x01\0\0", "\0\x0a\0\0\0\x01\xff\xff"), "latin1"),
    ],
  ])("Notes are dropped: %s", (_, notes) => {
    expect(reduceAppleNotes(notes)).toBeUndefined();
    expect(readAppleBoost(exifWith("II", notes))).toBeUndefined();
  });
});
