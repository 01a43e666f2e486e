import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost, type Settings } from "../../support/media/compression.ts";
import { placeholderDistance, thumbHashOf } from "../../support/media/placeholders.ts";
import { png } from "../../support/media/samples.ts";

// PLACE-1 over HTTP: placeholders of uploads. `thumbhash` over sharp's pixels is the judge.

const NEAR = 6;
/** The look of inks depends on profiles. Inverted colours would be 90 and more apart. */
const NEAR_INKS = 20;

/** A scene with four different corners, so that a turned scene differs. */
function scene(width: number, height: number, hole = false): Sharp {
  const ground = hole ? "" : '<rect width="100" height="100" fill="#2a6"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none" width="${width}" height="${height}">
    ${ground}<rect width="40" height="30" fill="#fd5"/><rect x="60" width="40" height="40" fill="#135"/>
    <rect y="70" width="30" height="30" fill="#eee"/><rect x="70" y="60" width="30" height="40" fill="#c2c"/></svg>`;
  const picture = sharp(Buffer.from(svg));
  return hole ? picture : picture.removeAlpha();
}

/** An account for each of the settings; registering takes longer than an upload. */
const accounts = new Map<string, Promise<CompressingAccount>>();

async function accountWith(settings: Settings): Promise<CompressingAccount> {
  const key = JSON.stringify(settings);
  const account = accounts.get(key) ?? CompressionHost.shared().then((host) => host.openAccount(settings));
  accounts.set(key, account);
  return account;
}

async function uploaded(bytes: Buffer, name: string, settings: Settings = {}) {
  const account = await accountWith(settings);
  const answer = await account.upload({ name, bytes });
  expect(answer.status).toBe(201);
  const result = (await answer.json()) as { _id: string; thumbHash: string | null; dominantColor: string | null };
  const page = (await (await account.host.send("GET", "/images?limit=1", account.token)).json()) as {
    images: { thumbHash: string | null; dominantColor: string | null }[];
  };
  return { account, result, listed: page.images[0] };
}

async function expectLike(bytes: Buffer, name: string, settings: Settings = {}) {
  const { result, listed } = await uploaded(bytes, name, settings);
  expect(result.thumbHash).not.toBeNull();
  const { space } = await sharp(bytes).metadata();
  const [expected, near] = space === "cmyk" ? [await shownInks(bytes), NEAR_INKS] : [bytes, NEAR];
  expect(placeholderDistance(result.thumbHash ?? "", await thumbHashOf(expected))).toBeLessThan(near);
  expect(listed).toMatchObject({ thumbHash: result.thumbHash, dominantColor: result.dominantColor });
  return result;
}

/** Browsers ignore the profile of inks. */
async function shownInks(jpeg: Buffer): Promise<Sharp> {
  const { data, info } = await sharp(jpeg, { ignoreIcc: true })
    .raw()
    .toColourspace("cmyk")
    .toBuffer({ resolveWithObject: true });
  const pixels = Buffer.alloc(info.width * info.height * 3);
  for (let i = 0; i < pixels.length; i++) {
    const at = Math.floor(i / 3) * 4;
    pixels[i] = ((255 - (data[at + (i % 3)] ?? 0)) * (255 - (data[at + 3] ?? 0))) / 255;
  }
  return sharp(pixels, { raw: { width: info.width, height: info.height, channels: 3 } });
}

describe("Placeholders of small images in the upload's answer", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "A JPEG of orientation %i has the placeholder of the upright picture",
    async (orientation) => {
      const bytes = await scene(600, 300).withMetadata({ orientation }).jpeg({ quality: 90 }).toBuffer();
      const { dominantColor } = await expectLike(bytes, "a.jpg");
      expect(dominantColor).toMatch(/^#2[0-9a-f]a[0-9a-f]6[0-9a-f]$/);
    },
  );

  it.each([
    ["progressive JPEG", "a.jpg", () => scene(800, 500).jpeg({ progressive: true })],
    ["grey JPEG", "a.jpg", () => scene(500, 400).grayscale().jpeg()],
    ["PNG", "a.png", () => scene(250, 150).png()],
    ["PNG with holes", "a.png", () => scene(190, 190, true).png()],
    ["palette PNG", "a.png", () => scene(120, 200).png({ palette: true })],
    ["GIF", "a.gif", () => scene(210, 150).gif()],
    ["WebP", "a.webp", () => scene(240, 150).webp()],
    ["WebP with holes", "a.webp", () => scene(160, 200, true).webp()],
    [
      "image of a pixel",
      "a.png",
      () => sharp({ create: { width: 1, height: 1, channels: 3, background: "#4080c0" } }).png(),
    ],
    ["wide image", "a.png", () => scene(900, 3).png()],
  ])("A %s has its placeholder", async (_, name, make) => {
    const bytes = await make().toBuffer();
    for (const settings of [{}, { autoCompress: true }]) await expectLike(bytes, name, settings);
  });

  it("The dominant colour is the most frequent visible one", async () => {
    const { result } = await uploaded(await scene(190, 190, true).png().toBuffer(), "a.png");
    expect(result.dominantColor).toMatch(/^#(112233|113355|cc22cc)$/);
    const clear = sharp({ create: { width: 9, height: 9, channels: 4, background: "#0000" } });
    expect((await uploaded(await clear.png().toBuffer(), "a.png")).result).toMatchObject({
      thumbHash: expect.any(String),
      dominantColor: null,
    });
  });

  it("A JPEG of inks has the placeholder of the colours that browsers show", async () => {
    const bytes = await scene(400, 500).toColourspace("cmyk").jpeg().toBuffer();
    await expectLike(bytes, "a.jpg");
  });

  it("A damaged image is stored and has no placeholder", async () => {
    const { result, listed } = await uploaded(Buffer.from(png(200, 150, 5000)), "a.png");
    expect(result).toMatchObject({ thumbHash: null, dominantColor: null });
    expect(listed).toMatchObject({ thumbHash: null, dominantColor: null });
  });
});

/** A picture with noise, so that its file is large. */
async function large(width: number, height: number): Promise<Sharp> {
  const noise = { type: "gaussian", mean: 128, sigma: 25 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, noise, background: "#000" } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const mixed = await scene(width, height)
    .composite([{ input: grain, blend: "overlay" }])
    .png({ compressionLevel: 0 });
  return sharp(await mixed.toBuffer());
}

/** Waits until the queue's consumer has made the placeholder. */
async function expectLater(bytes: Buffer, name: string, settings: Settings = {}) {
  const { account, result } = await uploaded(bytes, name, settings);
  expect(result).toMatchObject({ thumbHash: null, dominantColor: null });
  const read = async () => {
    const page = await account.host.send("GET", "/images?limit=1", account.token);
    const { images } = (await page.json()) as { images: { thumbHash: string | null }[] };
    return images[0]?.thumbHash ?? "";
  };
  await expect.poll(read, { timeout: 30_000 }).not.toBe("");
  expect(placeholderDistance(await read(), await thumbHashOf(bytes))).toBeLessThan(NEAR);
}

describe("Placeholders of large images", () => {
  it.each([
    ["baseline JPEG", async () => (await large(640, 480)).jpeg({ quality: 95 })],
    ["turned JPEG", async () => (await large(640, 360)).withMetadata({ orientation: 6 }).jpeg({ quality: 95 })],
    ["progressive JPEG", async () => (await large(600, 440)).jpeg({ quality: 95, progressive: true })],
    ["4:4:4 JPEG", async () => (await large(501, 601)).jpeg({ quality: 95, chromaSubsampling: "4:4:4" })],
    ["grey JPEG", async () => (await large(640, 480)).grayscale().jpeg({ quality: 97 })],
  ])("A %s that is compressed has its placeholder in the answer, of its coefficients", async (_, make) => {
    const bytes = await (await make()).toBuffer();
    expect(bytes.length).toBeGreaterThan(96 * 1024);
    await expectLike(bytes, "a.jpg", { autoCompress: true });
  });

  it("A large JPEG of inks that is compressed has its placeholder in the answer", async () => {
    const bytes = await (await large(500, 400)).toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
    expect(bytes.length).toBeGreaterThan(96 * 1024);
    await expectLike(bytes, "a.jpg", { autoCompress: true });
  });

  it("A JPEG of more than one part that is compressed has its placeholder in the answer", async () => {
    const bytes = await (await large(4000, 3000)).jpeg({ quality: 98 }).toBuffer();
    expect(bytes.length).toBeGreaterThan(8 * 1024 * 1024);
    await expectLike(bytes, "a.jpg", { autoCompress: true });
  });

  it("A large WebP that is compressed has its placeholder in the answer", async () => {
    const bytes = await (await large(500, 400)).webp({ quality: 95 }).toBuffer();
    await expectLike(bytes, "a.webp", { autoCompress: true });
  });

  it.each([
    ["baseline JPEG", "a.jpg", async () => (await large(640, 480)).jpeg({ quality: 95 })],
    ["PNG", "a.png", async () => (await large(500, 400)).png()],
    ["GIF", "a.gif", async () => (await large(500, 350)).gif()],
    ["WebP", "a.webp", async () => (await large(500, 450)).webp()],
    ["WebP for the Container", "a.webp", async () => (await large(2200, 2000)).webp()],
  ])("A large %s that is stored as uploaded gets its placeholder afterwards", async (_, name, make) => {
    await expectLater(await (await make()).toBuffer(), name);
  });

  it("A large PNG that is compressed gets its placeholder afterwards", async () => {
    await expectLater(await (await large(500, 400)).png().toBuffer(), "a.png", { autoCompress: true });
  });
});
