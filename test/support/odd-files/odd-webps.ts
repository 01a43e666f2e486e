import { chunk, riff, tiff, vp8x } from "../media/media-bytes.ts";
import { fromPixels, photo } from "../media/pictures.ts";
import { bytesOf } from "../media/samples.ts";
import type { OddFile } from "./odd-file.ts";

const [WIDTH, HEIGHT] = [40, 30];
const [ALPHA, EXIF, ANIMATION] = [0x10, 0x08, 0x02];

/** A chunk of a file, with its header. */
function chunkOf(file: Buffer, type: string): Uint8Array<ArrayBuffer> {
  const at = file.indexOf(type, 12, "latin1");
  const length = file.readUInt32LE(at + 4);
  return Uint8Array.from(file.subarray(at, at + 8 + length + (length & 1)));
}

function withByte(bytes: Uint8Array, at: number, change: (value: number) => number): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(bytes);
  changed[at] = change(changed[at] ?? 0);
  return changed;
}

export async function makeOddWebps(): Promise<OddFile[]> {
  const glass = () => fromPixels(WIDTH, HEIGHT, (x, y) => [x * 5, y * 5, (x * y) & 255, 100 + x]);
  const [lossyFile, losslessFile, alphaFile, animatedFile] = await Promise.all([
    photo(WIDTH, HEIGHT).webp({ quality: 90 }).toBuffer(),
    photo(WIDTH, HEIGHT).webp({ lossless: true }).toBuffer(),
    glass().webp({ quality: 90 }).toBuffer(),
    photo(WIDTH, 2 * HEIGHT)
      .raw()
      .toBuffer()
      .then(async (data) => {
        const { default: sharp } = await import("sharp");
        const raw = { width: WIDTH, height: 2 * HEIGHT, channels: 3, pageHeight: HEIGHT } as const;
        return sharp(data, { raw, animated: true }).webp().toBuffer();
      }),
  ]);
  const [lossy, lossless] = [chunkOf(lossyFile, "VP8 "), chunkOf(losslessFile, "VP8L")];
  const [alpha, underAlpha] = [chunkOf(alphaFile, "ALPH"), chunkOf(alphaFile, "VP8 ")];
  const [anim, frame] = [chunkOf(animatedFile, "ANIM"), chunkOf(animatedFile, "ANMF")];
  const junk = chunk("JUNK", "hello");
  const turn = chunk("EXIF", tiff(6));
  const size = (bytes: Uint8Array, value: number) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32LE(value, 4);
    return new Uint8Array(changed);
  };
  const files: (readonly [label: string, bytes: Uint8Array])[] = [
    ["nothing odd", riff("WEBP", lossy)],
    ["no loss", riff("WEBP", lossless)],
    ["alpha", riff("WEBP", vp8x(WIDTH, HEIGHT, ALPHA), alpha, underAlpha)],
    ["an animation", animatedFile],
    ["a canvas larger than its picture", riff("WEBP", vp8x(80, 60), lossy)],
    ["a canvas smaller than its picture", riff("WEBP", vp8x(20, 15), lossy)],
    ["a canvas larger than its lossless picture", riff("WEBP", vp8x(80, 60), lossless)],
    ["an animation whose canvas is larger than its frames", riff("WEBP", vp8x(80, 60, ANIMATION), anim, frame)],
    ["an animation whose canvas is smaller than its frames", riff("WEBP", vp8x(20, 15, ANIMATION), anim, frame)],
    ["an animation without ANIM", riff("WEBP", vp8x(WIDTH, HEIGHT, ANIMATION), frame)],
    ["an animation's frame without the flag", riff("WEBP", vp8x(WIDTH, HEIGHT), anim, frame)],
    ["the flag of an animation without one", riff("WEBP", vp8x(WIDTH, HEIGHT, ANIMATION), lossy)],
    [
      "an animation of a frame without data",
      riff("WEBP", vp8x(WIDTH, HEIGHT, ANIMATION), anim, chunk("ANMF", frame.subarray(8, 24))),
    ],
    ["EXIF that would turn it", riff("WEBP", vp8x(WIDTH, HEIGHT, EXIF), lossy, turn)],
    ["EXIF before its picture", riff("WEBP", vp8x(WIDTH, HEIGHT, EXIF), turn, lossy)],
    ["an unknown chunk before its picture", riff("WEBP", vp8x(WIDTH, HEIGHT), junk, lossy)],
    ["an unknown chunk after its picture", riff("WEBP", lossy, junk)],
    ["an unknown chunk first", riff("WEBP", junk, lossy)],
    ["alpha first, without VP8X", riff("WEBP", alpha, underAlpha)],
    ["alpha without its flag", riff("WEBP", vp8x(WIDTH, HEIGHT), alpha, underAlpha)],
    ["VP8X without a picture", riff("WEBP", vp8x(WIDTH, HEIGHT))],
    ["VP8X after its picture", riff("WEBP", lossy, vp8x(WIDTH, HEIGHT))],
    ["two pictures", riff("WEBP", lossy, lossless)],
    ["a RIFF size of 0", size(riff("WEBP", lossy), 0)],
    ["a RIFF size that is too small", size(riff("WEBP", lossy), 60)],
    ["a RIFF size that is too large", size(riff("WEBP", lossy), 99_999)],
    ["an odd RIFF size", size(riff("WEBP", lossy), riff("WEBP", lossy).length - 9)],
    ["a chunk size that is too large", riff("WEBP", size(lossy, lossy.length + 1000))],
    ["a chunk size that is too small", riff("WEBP", size(lossy, 100))],
    ["a chunk size of 0", riff("WEBP", size(lossy, 0))],
    ["bytes after its end", bytesOf(riff("WEBP", lossy), "more")],
    ["an end in its data", riff("WEBP", lossy).subarray(0, 300)],
    ["an end in its lossless data", riff("WEBP", lossless).subarray(0, 600)],
    ["an end after its frame's header", riff("WEBP", lossy).subarray(0, 30)],
    ["an end after 20 bytes of its frame", riff("WEBP", lossy).subarray(0, 50)],
    [
      "a frame that is no key frame",
      riff(
        "WEBP",
        withByte(lossy, 8, (value) => value | 1),
      ),
    ],
    [
      "a frame that is not shown",
      riff(
        "WEBP",
        withByte(lossy, 8, (value) => value & ~0x10),
      ),
    ],
    [
      "a frame of profile 5",
      riff(
        "WEBP",
        withByte(lossy, 8, (value) => value | 0x0a),
      ),
    ],
    [
      "no start code",
      riff(
        "WEBP",
        withByte(lossy, 11, () => 0),
      ),
    ],
    [
      "no width",
      riff(
        "WEBP",
        withByte(lossy, 14, () => 0),
      ),
    ],
    [
      "a scale",
      riff(
        "WEBP",
        withByte(lossy, 15, (value) => value | 0x40),
      ),
    ],
    [
      "a first partition longer than the file",
      riff(
        "WEBP",
        withByte(lossy, 10, () => 255),
      ),
    ],
    [
      "data that is damaged",
      riff(
        "WEBP",
        withByte(lossy, 60, (value) => ~value),
      ),
    ],
    [
      "no signature of its lossless picture",
      riff(
        "WEBP",
        withByte(lossless, 8, () => 0x2e),
      ),
    ],
    [
      "a lossless picture of version 1",
      riff(
        "WEBP",
        withByte(lossless, 12, (value) => value | 0x20),
      ),
    ],
    [
      "lossless data that is damaged",
      riff(
        "WEBP",
        withByte(lossless, 40, (value) => ~value),
      ),
    ],
    [
      "lossless data that is damaged at once",
      riff(
        "WEBP",
        withByte(lossless, 13, (value) => ~value),
      ),
    ],
  ];
  return files.map(([label, bytes]) => ({
    label: `a WebP with ${label}`,
    type: "image/webp",
    bytes: new Uint8Array(bytes),
  }));
}
