import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { makePreview } from "../../../src/codecs/make-preview.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { chunk, littleEndian, pngChunk, pngOf, riff } from "../../support/media/media-bytes.ts";
import { CountedFile } from "../../support/previews/counted-file.ts";

// A file's preview stays within its memory limit, even if its header is false.

vi.mock("../../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../../support/previews/engines.ts")).previewEngines(),
);
vi.mock("../../../src/codecs/libwebp.ts", async () => (await import("../../support/previews/engines.ts")).webpEngine());

const MIB = 1024 * 1024;

async function outcomeOf(type: MediaType, file: Uint8Array): Promise<string> {
  return (await makePreview({ type, sizeBytes: file.length }, new CountedFile(file).open())).outcome;
}

describe("files with false headers", () => {
  it("A small canvas with a first frame of 16 megapixels is not decoded", async () => {
    const plane = { create: { width: 4000, height: 4000, channels: 3, background: "#456" } } as const;
    const large = await sharp(plane).webp({ lossless: true, effort: 0 }).toBuffer();
    const picture = large.subarray(large.indexOf("VP8L"));
    const uint24 = (value: number) => littleEndian(value, 3);
    const frame = [...uint24(0), ...uint24(0), ...uint24(99), ...uint24(99), ...uint24(100), 0];
    const canvas = chunk("VP8X", [2, 0, 0, 0, ...uint24(99), ...uint24(99)]);
    const file = riff("WEBP", canvas, chunk("ANIM", new Uint8Array(6)), chunk("ANMF", frame, picture));
    expect(await outcomeOf("image/webp", file)).toBe("impossible");
  });

  it("A file of few pixels and many megabytes is not copied in memory", async () => {
    const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#456" } })
      .png()
      .toBuffer();
    // Inserted after IHDR: 8 bytes of signature, 25 of IHDR.
    const ballast = pngChunk("teSt", new Uint8Array(30 * MIB));
    const file = Buffer.concat([picture.subarray(0, 33), ballast, picture.subarray(33)]);
    expect(await outcomeOf("image/png", file)).toBe("made");
    const jpeg = await sharp(picture).jpeg().toBuffer();
    expect(await outcomeOf("image/jpeg", Buffer.concat([jpeg, new Uint8Array(30 * MIB)]))).toBe("made");
  });

  it("A file of 65,500 by 65,500 pixels goes to the media processor or has no preview", async () => {
    expect(["too-large", "impossible"]).toContain(
      await outcomeOf("image/png", pngOf(65_500, 65_500, pngChunk("IDAT", new Uint8Array(64)))),
    );
  });
});
