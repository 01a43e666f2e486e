import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it, vi } from "vitest";
import { isolateMemory } from "../../../src/codecs/isolate-memory.ts";
import { makeVariant } from "../../../src/codecs/make-variant.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { parseVariant } from "../../../src/domain/variants/parse-variant.ts";
import { variantFor } from "../../../src/domain/variants/variant.ts";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { makeSegment } from "../../support/jpeg/segments.ts";
import { bigEndian, pngChunk } from "../../support/media/media-bytes.ts";
import { CountedFile } from "../../support/previews/counted-file.ts";

// Variants that the Codec Worker makes, compared with sharp (libvips).

vi.mock("../../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../../support/previews/engines.ts")).previewEngines(),
);
vi.mock("../../../src/codecs/libwebp.ts", async () => (await import("../../support/previews/engines.ts")).webpEngine());

/** A scene with edges, colours and gradients and four different corners, so that a turned scene differs. */
function scene(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#e63"/><stop offset=".5" stop-color="#8b4"/><stop offset="1" stop-color="#249"/></linearGradient></defs>
    <rect width="100" height="100" fill="url(#g)"/>
    <circle cx="25" cy="30" r="18" fill="#fd5"/><rect x="55" y="10" width="30" height="25" fill="#135"/>
    <path d="M5 95 L40 55 L60 90 Z" fill="#eee"/><rect x="70" y="70" width="25" height="25" fill="#c2c"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
}

async function make(type: MediaType, file: Buffer, query: string, leavesMoving = false) {
  const parsed = parseVariant(query);
  if (parsed === undefined || "errors" in parsed) throw new Error(`Not a variant: ${JSON.stringify(parsed)}`);
  const variant = variantFor(parsed.request, {
    sourceType: type,
    accepted: { webp: false, avif: false },
    hasProcessor: true,
  });
  return makeVariant({ type, sizeBytes: file.length, variant, leavesMoving }, new CountedFile(file).open());
}

async function made(type: MediaType, file: Buffer, query: string): Promise<Buffer> {
  const answer = await make(type, file, query);
  if (answer.outcome !== "made") throw new Error(JSON.stringify(answer));
  return Buffer.from(answer.bytes);
}

/** The mean difference of two pictures' samples. */
async function distance(actual: Buffer, expected: Sharp): Promise<number> {
  const [a, b] = await Promise.all([pixelsOf(sharp(actual)), pixelsOf(sharp(await expected.png().toBuffer()))]);
  expect(a.info).toMatchObject({ width: b.info.width, height: b.info.height });
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0));
  return sum / a.data.length;
}

function pixelsOf(image: Sharp) {
  return image.removeAlpha().toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
}

const FILES: readonly (readonly [name: string, type: MediaType, file: Buffer])[] = [
  [
    "a turned JPEG",
    "image/jpeg",
    await scene(1600, 1000).jpeg({ quality: 92 }).withMetadata({ orientation: 6 }).toBuffer(),
  ],
  ["a progressive JPEG", "image/jpeg", await scene(1600, 1000).jpeg({ quality: 90, mozjpeg: true }).toBuffer()],
  ["a gray JPEG", "image/jpeg", await scene(1000, 700).greyscale().jpeg({ quality: 90 }).toBuffer()],
  ["a PNG", "image/png", await scene(1600, 1000).png().toBuffer()],
  ["an interlaced PNG", "image/png", await scene(1500, 900).png({ progressive: true }).toBuffer()],
  ["a WebP", "image/webp", await scene(1000, 700).webp({ quality: 90 }).toBuffer()],
  ["a GIF", "image/gif", await scene(1600, 1000).gif().toBuffer()],
];

const QUERIES: readonly (readonly [query: string, expected: (source: Sharp) => Promise<Sharp> | Sharp])[] = [
  ["w=320", (source) => source.resize(320)],
  ["w=320&fm=webp", (source) => source.resize(320)],
  ["w=320&fm=png", (source) => source.resize(320)],
  ["w=320&fm=jpg", (source) => source.resize(320)],
  ["w=448&h=224&fit=crop", (source) => source.resize(448, 224, { fit: "cover" })],
  ["w=224&h=448&fit=crop&crop=right", (source) => source.resize(224, 448, { fit: "cover", position: "right" })],
  ["w=448&h=448&fit=scale", (source) => source.resize(448, 448, { fit: "fill" })],
  ["w=448&h=448&fit=fill&bg=f00", (source) => source.resize(448, 448, { fit: "contain", background: "#f00" })],
  [
    "w=320&rot=90&flip=h",
    async (source) =>
      sharp(
        await sharp(await source.flop().png().toBuffer())
          .rotate(90)
          .png()
          .toBuffer(),
      ).resize(320),
  ],
  [
    "rect=100,100,300,200&w=192",
    (source) => source.extract({ left: 100, top: 100, width: 300, height: 200 }).resize(192),
  ],
];

describe("pictures of variants", () => {
  it.each(
    FILES.flatMap(([name, type, file]) => QUERIES.map(([query, expected]) => ({ name, type, file, query, expected }))),
  )("The variant $query of $name looks like sharp's", async ({ type, file, query, expected }) => {
    const source = sharp(await sharp(file).toColourspace("srgb").autoOrient().png().toBuffer());
    expect(await distance(await made(type, file, query), await expected(source))).toBeLessThan(3.5);
  });

  it("A variant of a CMYK JPEG is RGB without the profile of its inks", async () => {
    const file = await scene(1000, 700).toColourspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 95 }).toBuffer();
    for (const format of ["jpg", "webp", "png"]) {
      const { icc, space, width } = await sharp(await made("image/jpeg", file, `w=320&fm=${format}`)).metadata();
      expect({ icc, space, width }).toEqual({ icc: undefined, space: "srgb", width: 320 });
    }
  });

  it("A variant by entropy shows the busy part", async () => {
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    const file = await sharp({ create: { width: 1200, height: 400, channels: 3, background: "#888" } })
      .composite([{ input: noise, left: 850, top: 50 }])
      .png()
      .toBuffer();
    const { channels } = await sharp(await made("image/png", file, "w=384&h=384&fit=crop&crop=entropy")).stats();
    expect(channels[0]?.stdev ?? 0).toBeGreaterThan(20);
  });

  it("A blur removes the details and keeps the colours", async () => {
    const file = await scene(800, 800).png().toBuffer();
    const blurred = await made("image/png", file, "w=320&blur=200");
    const [before, after] = await Promise.all([sharp(file).resize(320).stats(), sharp(blurred).stats()]);
    expect(after.channels[0]?.mean).toBeCloseTo(before.channels[0]?.mean ?? 0, -1);
    expect(after.sharpness).toBeLessThan(before.sharpness / 4);
  });

  it("Transparency stays in a PNG and a WebP, and is white in a JPEG", async () => {
    const file = await sharp({
      create: { width: 400, height: 400, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    for (const format of ["png", "webp"]) {
      const { data } = await sharp(await made("image/png", file, `w=64&fm=${format}`))
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(data[3]).toBe(0);
    }
    const { data } = await sharp(await made("image/png", file, "w=64&fm=jpg"))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it.each([
    ["image/jpeg", "jpg"],
    ["image/jpeg", "webp"],
    ["image/png", "png"],
    ["image/png", "jpg"],
    ["image/webp", "png"],
  ] as const)("A variant of %s as %s has the colour profile and no other metadata", async (type, format) => {
    const format_ = type.slice("image/".length) as "jpeg" | "png" | "webp";
    const file = await scene(900, 600)
      .withIccProfile("p3")
      .withExif({ IFD0: { Artist: "Somebody" }, IFD3: { GPSLatitudeRef: "N" } })
      .toFormat(format_)
      .toBuffer();
    const source = await sharp(file).metadata();
    const { icc, exif, xmp, orientation } = await sharp(await made(type, file, `w=320&fm=${format}`)).metadata();
    expect(source.icc).toBeDefined();
    expect(icc).toEqual(source.icc);
    expect({ exif, xmp, orientation }).toEqual({ exif: undefined, xmp: undefined, orientation: undefined });
  });

  it("An image is not enlarged by a width alone", async () => {
    const file = await scene(200, 100).jpeg().toBuffer();
    expect(await sharp(await made("image/jpeg", file, "w=2000")).metadata()).toMatchObject({ width: 200, height: 100 });
  });
});

/** The file with other sides in its header. */
function claiming(type: MediaType, file: Buffer, side: number): Buffer {
  const copy = Buffer.from(file);
  if (type === "image/png") {
    copy.writeUInt32BE(side, 16);
    copy.writeUInt32BE(side, 20);
    copy.writeUInt32BE(crc32(copy.subarray(12, 29)), 29);
  } else if (type === "image/gif") {
    copy.writeUInt16LE(side, 6);
    copy.writeUInt16LE(side, 8);
  } else if (type === "image/webp") {
    const at = copy.indexOf(Buffer.from([0x9d, 0x01, 0x2a])) + 3;
    copy.writeUInt16LE(Math.min(side, 16_383), at);
    copy.writeUInt16LE(Math.min(side, 16_383), at + 2);
  } else {
    const frame = Math.max(copy.indexOf(Buffer.from([0xff, 0xc0, 0])), copy.indexOf(Buffer.from([0xff, 0xc2, 0])));
    copy.writeUInt16BE(side, frame + 5);
    copy.writeUInt16BE(side, frame + 7);
  }
  return copy;
}

/** A gray PNG of one bit, whose rows are all there and black. */
function blackPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const header = [...bigEndian(width, 4), ...bigEndian(height, 4), 1, 0, 0, 0, 0];
  const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", deflateSync(rows)), pngChunk("IEND")];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
}

/** A gray baseline JPEG whose blocks are all there: two zero bits each, for no difference and no further coefficient (T.81, F.1.2). */
function grayJpeg(width: number, height: number): Buffer {
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  const segments = [
    makeSegment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    makeSegment(0xc0, [8, ...bigEndian(height, 2), ...bigEndian(width, 2), 1, 1, 0x11, 0]),
    makeSegment(0xc4, [0x00, ...oneCode, 0x10, ...oneCode]),
    makeSegment(0xda, [1, 1, 0, 0, 63, 0]),
  ];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    ...segments,
    Buffer.alloc(Math.ceil(blocks / 4)),
    Buffer.of(0xff, 0xd9),
  ]);
}

function plainWebp(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#888" } })
    .webp({ effort: 0 })
    .toBuffer();
}

describe("The most pixels of a source", () => {
  // These files have all of their data, so only the limit of their format stands between them and a variant.
  it.each<[string, MediaType, number, number, number, (width: number, height: number) => Buffer | Promise<Buffer>]>([
    ["PNG", "image/png", 65_500, 1500, 1600, blackPng],
    ["JPEG", "image/jpeg", 65_500, 5400, 5500, grayJpeg],
    ["WebP", "image/webp", 2100, 2000, 2001, plainWebp],
  ])(
    "A whole %s (%s) of %i by %i pixels has a variant, and one of %i rows is left to others",
    async (_, type, width, most, more, file) => {
      expect((await make(type, await file(width, most), "w=640")).outcome).toBe("made");
      expect(await make(type, await file(width, more), "w=640")).toEqual({ outcome: "too-large" });
    },
  );
});

describe("large WebPs", () => {
  it.each([
    ["lossy", 2000, 1500, "w=320", { quality: 90 }],
    ["lossless", 1600, 1200, "w=320", { lossless: true }],
    ["lossy", 2000, 1500, "w=320&fm=jpg", { quality: 90 }],
  ])("A %s WebP of %i by %i pixels has the variant %s", async (_, width, height, query, options) => {
    const file = await scene(width, height).webp(options).toBuffer();
    expect(await distance(await made("image/webp", file, query), sharp(file).resize(320))).toBeLessThan(3.5);
  });

  it.each([
    ["image/jpeg", "w=1920&fm=webp", 2400, 1600],
    ["image/png", "w=1920&fm=webp&q=100", 2400, 1600],
    ["image/jpeg", "fm=webp&rot=90", 1600, 2560],
    ["image/webp", "w=1920&q=100", 2400, 1600],
  ] as const)("A large %s has the WebP variant %s", async (type, query, width, height) => {
    const file = await scene(width, height)
      .toFormat(type.slice("image/".length) as "jpeg" | "png" | "webp")
      .toBuffer();
    const { data, info } = await sharp(await made(type, file, query)).toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject(query.includes("w=") ? { width: 1920, height: 1280 } : { width: height, height: width });
    const expected = query.includes("rot") ? sharp(file).rotate(90) : sharp(file).resize(1920);
    expect(await distance(data, expected)).toBeLessThan(3.5);
  });

  it("A WebP variant of more than 4.2 megapixels is left to the media processor", async () => {
    const file = await scene(2400, 1800).jpeg().toBuffer();
    expect(await make("image/jpeg", file, "fm=webp")).toEqual({ outcome: "too-large" });
  });

  it("Other requests get the thread before a WebP is decoded and before it is encoded", async () => {
    const { webpEngine } = await import("../../../src/codecs/libwebp.ts");
    const waited: string[] = [];
    let isDue = false;
    /** Notes whether a timer that was set before has fired by now. */
    const watch = (call: "decode" | "encode") => {
      const original = webpEngine[call].bind(webpEngine) as (...args: unknown[]) => Promise<never>;
      vi.spyOn(webpEngine, call).mockImplementation(async (...args: unknown[]) => {
        waited.push(`${call} ${isDue}`);
        isDue = false;
        const result = await original(...args);
        setTimeout(() => {
          isDue = true;
        }, 0);
        return result;
      });
    };
    const file = await scene(800, 600).webp().toBuffer();
    watch("decode");
    watch("encode");
    const waiting = make("image/webp", file, "w=640");
    setTimeout(() => {
      isDue = true;
    }, 0);
    await waiting;
    vi.restoreAllMocks();
    expect(waited).toEqual(["decode true", "encode true"]);
  });
});

describe("large files", () => {
  it("A JPEG of 20 MiB has a variant", async () => {
    const file = Buffer.concat([await scene(1200, 900).jpeg().toBuffer(), Buffer.alloc(20 * 1024 * 1024)]);
    expect((await make("image/jpeg", file, "w=320")).outcome).toBe("made");
  });
});

describe("odd sources", () => {
  it.each<[string, MediaType, (image: Sharp) => Sharp]>([
    ["PNG", "image/png", (image) => image.png()],
    ["GIF", "image/gif", (image) => image.gif()],
    ["WebP", "image/webp", (image) => image.webp()],
    ["baseline JPEG", "image/jpeg", (image) => image.jpeg()],
    ["progressive JPEG", "image/jpeg", (image) => image.jpeg({ progressive: true })],
  ])("A %s that claims 65,500 by 65,500 pixels costs bounded time and memory", async (_, type, as) => {
    const file = claiming(type, await as(scene(64, 64)).toBuffer(), 65_500);
    const { Instance } = WebAssembly;
    const memories: WebAssembly.Memory[] = [];
    vi.spyOn(WebAssembly, "Instance").mockImplementation(function open(module, imports) {
      const instance = new Instance(module, imports);
      memories.push(...Object.values(instance.exports).filter((item) => item instanceof WebAssembly.Memory));
      return instance;
    });
    let leasedBytes = 0;
    const openLease = isolateMemory.open.bind(isolateMemory);
    vi.spyOn(isolateMemory, "open").mockImplementation((maxBytes) => {
      const lease = openLease(maxBytes);
      const growTo = lease.growTo.bind(lease);
      return Object.assign(lease, {
        growTo: (bytes: number, maxWaitMs: number) => {
          leasedBytes = Math.max(leasedBytes, bytes);
          return growTo(bytes, maxWaitMs);
        },
      });
    });
    for (const query of ["w=640", "w=8192&h=8192&fit=scale", "w=64&h=64&fit=crop&crop=entropy&fm=webp"]) {
      const began = performance.now();
      expect(["too-large", "impossible"]).toContain((await make(type, file, query)).outcome);
      expect(performance.now() - began).toBeLessThan(BOUNDED_MS);
    }
    vi.restoreAllMocks();
    // An instance's memory never shrinks, so this is the peak.
    expect(memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)).toBeLessThan(64 * 1024 * 1024);
    expect(leasedBytes).toBeLessThan(isolateMemory.totalBytes);
  });

  it("A damaged image has no variant", async () => {
    const file = (await scene(300, 200).png().toBuffer()).subarray(0, 60);
    expect((await make("image/png", file, "w=64")).outcome).toBe("impossible");
  });

  it("A JPEG that is cut off shows its remaining part", async () => {
    const whole = await scene(1600, 1000).jpeg({ quality: 90 }).toBuffer();
    const bytes = await made("image/jpeg", whole.subarray(0, whole.length / 2), "w=320");
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 320, height: 200 });
  });

  it.each([
    ["w=2560&h=1920&fit=crop", 400, "too-large"],
    ["w=64&fm=avif", 400, "too-large"],
    ["w=2560&h=2048&fit=crop", 400, "impossible"],
    ["w=8192&h=8192&fit=scale&fm=avif", 400, "impossible"],
    // The picture that the variant is cut out of has 8,192 rows.
    ["w=8192&h=8192&fit=crop&crop=entropy", 100, "impossible"],
    ["w=64&h=64&fit=crop&crop=entropy&fm=avif", 100, "too-large"],
  ])(
    "The variant %s with too many pixels for a Worker is left to others up to five megapixels",
    async (query, width, outcome) => {
      const file = await scene(width, width === 100 ? 1 : 300)
        .png()
        .toBuffer();
      expect((await make("image/png", file, query)).outcome).toBe(outcome);
    },
  );
});

/** Two frames of one picture, one below the other. */
function twoFrames(): Sharp {
  const frames = Buffer.alloc(64 * 128 * 3, 90).fill(200, 64 * 64 * 3);
  return sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } });
}

const STILL_PNG = await scene(64, 64).png().toBuffer();

const ANIMATIONS = [
  [
    "GIF",
    "image/gif",
    await twoFrames()
      .gif({ delay: [100, 100] })
      .toBuffer(),
  ],
  [
    "WebP",
    "image/webp",
    await twoFrames()
      .webp({ delay: [100, 100] })
      .toBuffer(),
  ],
  [
    "PNG",
    "image/png",
    Buffer.concat([STILL_PNG.subarray(0, 33), pngChunk("acTL", new Uint8Array(8)), STILL_PNG.subarray(33)]),
  ],
] as const;

describe("animations", () => {
  it.each(ANIMATIONS)("A variant of an animated %s is its first frame, and marked", async (_, type, file) => {
    expect(await make(type, file, "w=32&fm=webp")).toMatchObject({ outcome: "made", isFirstFrame: true });
    const still = await scene(64, 64)
      .toFormat(type.slice(6) as "gif")
      .toBuffer();
    expect(await make(type, still, "w=32&fm=webp")).toMatchObject({ outcome: "made", isFirstFrame: false });
  });

  it.each([
    ["w=32&fm=webp", "too-large", "too-large", "too-large"],
    ["w=32&h=32&fit=crop&fm=webp", "too-large", "too-large", "too-large"],
    ["w=32&fm=png", "made", "made", "made"],
    ["w=32&fm=webp&rot=90", "made", "made", "made"],
    ["w=32&fm=webp&blur=40", "made", "made", "made"],
    ["w=32&h=8&fit=fill&fm=webp", "made", "made", "made"],
    ["w=32&h=8&fit=crop&crop=entropy&fm=webp", "made", "made", "made"],
  ])("Of %s the media processor gets the animated GIF (%s), WebP (%s) and PNG (%s)", async (query, ...outcomes) => {
    for (const [i, [, type, file]] of ANIMATIONS.entries())
      expect((await make(type, file, query, true)).outcome, type).toBe(outcomes[i]);
    expect(await make("image/png", STILL_PNG, query, true)).toMatchObject({ outcome: "made", isFirstFrame: false });
  });
});
