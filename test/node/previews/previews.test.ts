import sharp, { type Sharp } from "sharp";
import { describe, expect, it, vi } from "vitest";
import { makePreview, type PreviewAnswer } from "../../../src/codecs/make-preview.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { CountedFile } from "../../support/previews/counted-file.ts";

// Previews, and the part of a file that is read for them. They are compared with sharp (libvips).

vi.mock("../../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../../support/previews/engines.ts")).previewEngines(),
);
vi.mock("../../../src/codecs/libwebp.ts", async () => (await import("../../support/previews/engines.ts")).webpEngine());

/** A scene with edges, colours and gradients and four different corners, so that a turned scene differs. */
function scene(width: number, height: number, hole = ""): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#e63"/><stop offset=".5" stop-color="#8b4"/><stop offset="1" stop-color="#249"/></linearGradient></defs>
    ${hole === "" ? '<rect width="100" height="100" fill="url(#g)"/>' : ""}
    <circle cx="25" cy="30" r="18" fill="#fd5"/><rect x="55" y="10" width="30" height="25" fill="#135"/>
    <path d="M5 95 L40 55 L60 90 Z" fill="#eee"/><rect x="70" y="70" width="25" height="25" fill="#c2c"/></svg>`;
  const picture = sharp(Buffer.from(svg));
  return hole === "" ? picture.removeAlpha() : picture;
}

interface Made {
  readonly answer: PreviewAnswer;
  readonly source: CountedFile;
}

async function preview(type: MediaType, file: Buffer | Uint8Array): Promise<Made> {
  const source = new CountedFile(file);
  return { answer: await makePreview({ type, sizeBytes: file.length }, source.open()), source };
}

function webpOf({ answer }: Made): Buffer {
  if (answer.outcome !== "made") throw new Error(JSON.stringify(answer));
  return Buffer.from(answer.webp);
}

/** The distance of two pictures: the mean difference of their samples, over a gray background. */
async function distance(preview: Buffer, original: Buffer | Sharp): Promise<number> {
  const { width = 0, height = 0 } = await sharp(preview).metadata();
  const expected = await pixelsOf(
    "clone" in original ? original.clone() : sharp(original, { failOn: "none" }).autoOrient(),
    { width, height },
  );
  const actual = await pixelsOf(sharp(preview), { width, height });
  expect(actual.length).toBe(expected.length);
  let sum = 0;
  for (let i = 0; i < actual.length; i++) sum += Math.abs((actual[i] ?? 0) - (expected[i] ?? 0));
  return sum / actual.length;
}

function pixelsOf(image: Sharp, size: { readonly width: number; readonly height: number }): Promise<Buffer> {
  return image
    .toColourspace("srgb")
    .ensureAlpha()
    .resize({ ...size, fit: "fill" })
    .flatten({ background: "#888" })
    .raw()
    .toBuffer();
}

const NEAR = 6;

describe("previews of JPEGs", () => {
  it.each([
    ["from DC alone", 2400, 2100, ""],
    ["at a quarter", 1500, 1100, ""],
    ["at half", 800, 600, ""],
    ["whole", 400, 300, ""],
    ["of odd sides", 2731, 2049, ""],
  ])("A JPEG's preview (%s) shows the picture, with any sampling and scans", async (_, width, height) => {
    for (const options of [
      { quality: 80 },
      { quality: 65, mozjpeg: true },
      { quality: 90, chromaSubsampling: "4:4:4", progressive: true },
    ]) {
      const file = await scene(width, height).jpeg(options).toBuffer();
      const webp = webpOf(await preview("image/jpeg", file));
      const size = await sharp(webp).metadata();
      expect(size).toMatchObject({ format: "webp", hasAlpha: false });
      expect(Math.min(size.width, size.height)).toBe(256);
      expect(Math.abs(size.width / size.height - width / height)).toBeLessThan(0.01);
      expect(await distance(webp, file)).toBeLessThan(NEAR);
    }
  });

  it("A JPEG's preview is upright for every orientation of the camera", async () => {
    for (const [width, height] of [
      [2400, 2100],
      [1200, 900],
      [400, 300],
    ] as const) {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const file = await scene(width, height).jpeg({ quality: 80 }).withMetadata({ orientation }).toBuffer();
        const webp = webpOf(await preview("image/jpeg", file));
        const size = await sharp(webp).metadata();
        expect(size.width > size.height, `${width}, ${orientation}`).toBe(orientation < 5);
        expect(await distance(webp, file), `${width}, ${orientation}`).toBeLessThan(NEAR);
        expect(size).not.toHaveProperty("exif");
      }
    }
  });

  it("A gray JPEG's preview is gray", async () => {
    const file = await scene(2400, 2100).grayscale().jpeg({ quality: 80 }).toBuffer();
    expect(await distance(webpOf(await preview("image/jpeg", file)), file)).toBeLessThan(NEAR);
  });

  it("A CMYK JPEG's preview has its colours, at any size", async () => {
    for (const [width, height] of [
      [2400, 2100],
      [400, 300],
    ] as const) {
      const picture = scene(width, height);
      const file = await picture.clone().toColourspace("cmyk").jpeg({ quality: 85 }).toBuffer();
      expect(await sharp(file).metadata()).toMatchObject({ space: "cmyk" });
      // The colours of inks depend on profiles. Browsers' plain complements match roughly; inverted colours would be 90 and more apart.
      expect(await distance(webpOf(await preview("image/jpeg", file)), picture)).toBeLessThan(30);
    }
  });

  it("A large progressive JPEG's preview reads at most 40 % of the file and shows the part it read", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const texture = await sharp({ create: { width: 2800, height: 2100, channels: 3, background: "#888", noise } })
      .blur(1.5)
      .jpeg({ quality: 95 })
      .toBuffer();
    const file = await scene(2800, 2100)
      .composite([{ input: texture, blend: "overlay" }])
      .jpeg({ quality: 65, mozjpeg: true })
      .toBuffer();
    expect(file.length).toBeGreaterThan(260_000);
    const made = await preview("image/jpeg", file);
    expect(made.source.readBytes / file.length).toBeLessThan(0.4);
    expect(await distance(webpOf(made), file)).toBeLessThan(NEAR);
  });

  it("A JPEG that is cut off has a preview of the part that is there", async () => {
    const whole = await scene(2400, 2100).jpeg({ quality: 80 }).toBuffer();
    const webp = webpOf(await preview("image/jpeg", whole.subarray(0, whole.length >> 1)));
    const top = { left: 0, top: 0, width: 256, height: 60 };
    const expected = await sharp(whole).resize(293, 256).extract(top).png().toBuffer();
    expect(await distance(await sharp(webp).extract(top).webp({ lossless: true }).toBuffer(), expected)).toBeLessThan(
      NEAR,
    );
  });

  it("A JPEG's preview is never larger than the picture, and at most 1,024 pixels long", async () => {
    for (const [width, height, expected] of [
      [120, 80, [120, 80]],
      [6000, 300, [1024, 51]],
      [1, 3000, [1, 1024]],
      [1, 1, [1, 1]],
    ] as const) {
      const webp = webpOf(await preview("image/jpeg", await scene(width, height).jpeg().toBuffer()));
      const size = await sharp(webp).metadata();
      expect([size.width, size.height]).toEqual(expected);
    }
  });
});

describe("previews of PNGs", () => {
  const SIZES = [
    ["small", 640, 480],
    ["by rows", 1600, 1200],
  ] as const;

  it.each(SIZES)("A PNG's preview (%s) shows the picture in every form of PNG", async (_, width, height) => {
    const forms: Record<string, Buffer> = {
      colour: await scene(width, height).png().toBuffer(),
      palette: await scene(width, height, "clear").png({ palette: true }).toBuffer(),
      alpha: await scene(width, height, "clear").png().toBuffer(),
      gray: await scene(width, height).grayscale().png().toBuffer(),
      "gray and alpha": await scene(width, height, "clear").grayscale().png().toBuffer(),
      deep: await scene(width, height).toColourspace("rgb16").png().toBuffer(),
      "deep with alpha": await scene(width, height, "clear").toColourspace("rgb16").png().toBuffer(),
      interlaced: await scene(width, height, "clear").png({ progressive: true }).toBuffer(),
      "a bit": await scene(width, height).grayscale().threshold(128).png({ palette: true, colours: 2 }).toBuffer(),
    };
    for (const [form, file] of Object.entries(forms)) {
      const webp = webpOf(await preview("image/png", file));
      expect(await distance(webp, file), form).toBeLessThan(NEAR);
      const { hasAlpha } = await sharp(file).metadata();
      expect((await sharp(webp).metadata()).hasAlpha, form).toBe(hasAlpha && form !== "a bit");
    }
  });

  it("A PNG that is cut off, or invalid after its header, causes no failure of the service", async () => {
    for (const [, width, height] of SIZES) {
      const whole = await scene(width, height).png().toBuffer();
      const answers = [
        await preview("image/png", whole.subarray(0, whole.length >> 1)),
        await preview("image/png", whole.fill(7, 60, 400)),
      ];
      for (const { answer } of answers) expect(["impossible", "too-large"]).toContain(answer.outcome);
    }
  });
});

describe("previews of GIFs", () => {
  it("A GIF's preview is its first frame, and no more of an animation is read", async () => {
    const frames = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (i) =>
        scene(900, 700)
          .modulate({ hue: 60 * i })
          .png()
          .toBuffer(),
      ),
    );
    const still = await sharp(frames[0]).gif().toBuffer();
    expect(await distance(webpOf(await preview("image/gif", still)), still)).toBeLessThan(NEAR);
    const animated = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await distance(webpOf(await preview("image/gif", animated)), frames[0] as Buffer)).toBeLessThan(NEAR + 2);
  });
});

describe("previews of WebPs", () => {
  it("A WebP's preview is the picture with its alpha, or an animation's first frame", async () => {
    for (const options of [{ quality: 80 }, { lossless: true }]) {
      for (const hole of ["", "clear"]) {
        const file = await scene(900, 700, hole).webp(options).toBuffer();
        expect(await distance(webpOf(await preview("image/webp", file)), file)).toBeLessThan(NEAR);
      }
      const frames = await Promise.all(
        [0, 120].map(async (hue) => scene(600, 500, "clear").modulate({ hue }).png().toBuffer()),
      );
      const animated = await sharp(frames, { join: { animated: true } })
        .webp(options)
        .toBuffer();
      expect(await distance(webpOf(await preview("image/webp", animated)), frames[0] as Buffer)).toBeLessThan(NEAR);
    }
  });

  it("A WebP that is too large for an isolate goes to the media processor", async () => {
    const { answer } = await preview("image/webp", await scene(2200, 2000).webp().toBuffer());
    expect(answer.outcome).toBe("too-large");
  });
});
