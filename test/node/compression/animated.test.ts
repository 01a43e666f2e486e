import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { writeGif } from "../../support/gif/write-gif.ts";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";
import { header, pngFile } from "../../support/png/write-png.ts";

// COMP-4: animated images are stored as uploaded.

let host: CompressionHost;
let account: CompressingAccount;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
});

async function frames(): Promise<Buffer[]> {
  return Promise.all([1, 2, 3].map((seed) => photo(60, 40, seed).png().toBuffer()));
}

function uint32(...values: number[]): Buffer {
  return Buffer.concat(
    values.map((value) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])),
  );
}

/** Two frames (PNG, third edition, 11.3.6), not deflated, so that a compressor could gain. */
function apng(control: "before the picture" | "right after IHDR"): Buffer {
  const size = { width: 40, height: 30, colorType: 0, bitDepth: 8 } as const;
  const rows = Buffer.alloc((size.width + 1) * size.height);
  const data = deflateSync(rows, { level: 0 });
  const fctl = (sequence: number) => Buffer.concat([uint32(sequence, 40, 30, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]);
  const gama = ["gAMA", uint32(45455)] as const;
  const actl = ["acTL", uint32(2, 0)] as const;
  return pngFile([
    ["IHDR", header(size)],
    ...(control === "before the picture" ? [gama, actl] : [actl, gama]),
    ["fcTL", fctl(0)],
    ["IDAT", data],
    ["fcTL", fctl(1)],
    ["fdAT", Buffer.concat([uint32(2), data])],
    ["IEND", Buffer.alloc(0)],
  ]);
}

describe("animations", () => {
  it("An animated GIF is stored byte for byte", async () => {
    const gif = await sharp(await frames(), { join: { animated: true } })
      .gif({ loop: 0 })
      .toBuffer();
    const { result } = await account.store(gif, "dance.gif");
    expect(result).toMatchObject({ compressed: false, mimeType: "image/gif", size: { width: 60, height: 40 } });
    expect(result.filename.endsWith("dance.gif")).toBe(true);
  });

  it("A GIF whose second frame is a single pixel is stored byte for byte", async () => {
    const colours = [[0, 0, 0], [255, 255, 255]] as const; // biome-ignore format: a table
    const whole = { width: 300, height: 200, pixel: (x: number) => x & 1 };
    const point = { width: 1, height: 1, left: 5, top: 5, pixel: () => 1 };
    const gif = writeGif({ width: 300, height: 200, colours, frames: [whole, point] });
    expect((await account.store(gif, "point.gif")).result.compressed).toBe(false);
  });

  it.each([{}, { lossless: true }])("An animated WebP is stored byte for byte: %o", async (options) => {
    const webp = await sharp(await frames(), { join: { animated: true } })
      .webp({ ...options, effort: 0 })
      .toBuffer();
    expect((await sharp(webp).metadata()).pages).toBe(3);
    const { result } = await account.store(webp, "dance.webp");
    expect(result).toMatchObject({ compressed: false, mimeType: "image/webp", size: { width: 60, height: 40 } });
  });

  it.each(["before the picture", "right after IHDR"] as const)(
    "An APNG with its acTL %s is stored byte for byte",
    async (control) => {
      const { result } = await account.store(apng(control), "dance.png");
      expect(result).toMatchObject({ compressed: false, mimeType: "image/png", size: { width: 40, height: 30 } });
    },
  );
});
