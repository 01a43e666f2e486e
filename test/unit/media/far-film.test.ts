import { describe, expect, it } from "vitest";
import { NO_CAMERA } from "../../../src/domain/camera-facts.ts";
import { findFarBox, readFarFilm } from "../../../src/media/camera/read-far-film.ts";
import { filmWith } from "../../support/media/camera-files.ts";

const FIRST_BYTES = 8 * 1024 * 1024;
const FILM = filmWith({ created: 3_860_000_000, texts: { "\xa9mak": "Maker", "\xa9mod": "Model" } }, 9_000_000);

function sourceOf(bytes: Uint8Array) {
  return { length: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
}

/** @returns the facts, and the bytes that were read */
async function readAll(film: Uint8Array) {
  const at = findFarBox("video/mp4", sourceOf(film.subarray(0, FIRST_BYTES)));
  let [ranges, bytes] = [0, 0];
  const read = async (from: number, length: number) => {
    ranges += 1;
    bytes += length;
    return film.subarray(from, from + length);
  };
  const facts = at === undefined ? NO_CAMERA : await readFarFilm(read, at, film.length);
  return { facts, ranges, bytes };
}

/** A film with boxes of a type behind its media data. */
function withBoxes(type: string, count: number, size = 16): Uint8Array {
  const boxes = new Uint8Array(count * size);
  const view = new DataView(boxes.buffer);
  for (let at = 0; at < boxes.length; at += size) {
    view.setUint32(at, size);
    boxes.set(Buffer.from(type), at + 4);
  }
  const moovAt = FILM.length - moovBytes();
  return Buffer.concat([FILM.subarray(0, moovAt), boxes, FILM.subarray(moovAt)]);
}

function moovBytes(): number {
  return FILM.length - Buffer.from(FILM.buffer, FILM.byteOffset, FILM.length).indexOf("moov") + 4;
}

describe("A film whose `moov` follows its media data", () => {
  it("The facts of a film whose `moov` follows its media data are read by one range", async () => {
    const { facts, ranges, bytes } = await readAll(FILM);
    expect(facts).toMatchObject({ camera: "Maker Model", takenAt: expect.any(Number) });
    expect([ranges, bytes <= 64 * 1024]).toEqual([1, true]);
  });

  it("A box between the media data and `moov` is passed over", async () => {
    expect((await readAll(withBoxes("free", 2))).facts.camera).toBe("Maker Model");
  });

  it("Many boxes, and a `moov` of any size, cost few ranges and two megabytes", async () => {
    const { facts, ranges } = await readAll(withBoxes("free", 100));
    expect([facts, ranges]).toEqual([NO_CAMERA, 4]);
    const long = withBoxes("moov", 1, 5_000_000);
    const { ranges: two, bytes } = await readAll(long);
    expect([two, bytes]).toEqual([2, 64 * 1024 + 2 * 1024 * 1024]);
  });

  it.each([0, 1, 7, 8, 0xffffffff])("A box of the size %d ends the search", async (size) => {
    const film = Uint8Array.from(FILM);
    new DataView(film.buffer).setUint32(FILM.length - moovBytes(), size);
    const { facts, ranges } = await readAll(film);
    expect(ranges).toBeLessThanOrEqual(2);
    if (size > 0 && size < 0xffffffff) expect(facts).toEqual(NO_CAMERA);
  });

  it("Nothing is looked for behind a `moov` in the first bytes, or in another type", () => {
    const front = filmWith({ created: 3_860_000_000 }, 100);
    expect(findFarBox("video/mp4", sourceOf(front))).toBeUndefined();
    expect(findFarBox("video/webm", sourceOf(FILM.subarray(0, FIRST_BYTES)))).toBeUndefined();
  });
});
