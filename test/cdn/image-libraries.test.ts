import { generate as unpic } from "unpic/providers/imgix";
import { beforeEach, describe, expect, it } from "vitest";
import { picture, signSrcset, signUrl, src, srcset } from "../../src/client/images.ts";
import { fileKey, objectUrl } from "../../src/domain/object-key.ts";
import { deriveSigningKey, formatSigningKey } from "../../src/domain/variants/signed-url.ts";
import { readHead } from "../../src/media/first-bytes.ts";
import { makePng } from "../support/media/make-png.ts";
import { cdnEnv, observe, setRules } from "./harness.ts";

// URLs that image libraries and the client's own helpers make, requested from the CDN Worker (VAR-10).

const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x3yr";
const SOURCE = await makePng(1200, 800);

let url: string;
let uploads = 0;

beforeEach(async () => {
  // No other test file may draw these ids: an upload has one maker, and some tests replace the codec of theirs.
  const uploadId = `01hzy3v7k9q4r5s6t7v8a9${String(uploads++).padStart(4, "0")}`;
  const objectKey = fileKey(ACCOUNT_ID, uploadId, "picture.png");
  await cdnEnv.FILES.put(objectKey, SOURCE, { httpMetadata: { contentType: "image/png" } });
  // Each zone has its own cache, so that no test sees the rules of another.
  url = objectUrl(`https://${crypto.randomUUID()}.example.com`, objectKey);
});

async function request(variantUrl: string, headers: Record<string, string> = {}) {
  const { response, body } = await observe(variantUrl, { headers });
  expect([response.status, response.headers.get("X-Variant")], variantUrl).toEqual([200, null]);
  const type = response.headers.get("Content-Type") ?? "";
  const { width, height } = readHead(type as "image/png", new Uint8Array(body), true);
  return { type, width, height };
}

/** Requests each URL of a `srcset`, and checks that its picture has the width that its descriptor promises. @returns the widths */
async function requestSrcset(set: string, cssWidth?: number): Promise<number[]> {
  const widths: number[] = [];
  for (const candidate of set.split(", ")) {
    const [variantUrl = "", descriptor = ""] = candidate.split(" ");
    const { width } = await request(variantUrl);
    const promised = Number.parseFloat(descriptor) * (descriptor.endsWith("x") ? (cssWidth ?? 0) : 1);
    expect(width, candidate).toBe(Math.min(1200, promised));
    widths.push(width ?? 0);
  }
  return widths;
}

// test/e2e/recipes.test.ts has Next's and Nuxt's libraries, which are too large for every `npm ci`.
describe("URLs of image libraries", () => {
  it("unpic's imgix provider gets pictures of the requested size and format", async () => {
    const accept = { Accept: "image/webp,*/*" };
    expect(await request(unpic(url, { width: 640 }), accept)).toMatchObject({ width: 640, type: "image/webp" });
    expect(await request(unpic(url, { width: 320, height: 320 }))).toMatchObject({ width: 320, height: 320 });
    expect(await request(unpic(url, { width: 640, format: "jpg", quality: 60 }))).toMatchObject({
      width: 640,
      type: "image/jpeg",
    });
  });
});

describe("The client's helpers", () => {
  it("The client's `src` names each parameter and keeps the URL's others", async () => {
    const named = src(`${url}?download=1`, {
      width: 256,
      height: 128,
      fit: "crop",
      focalPoint: { x: 0.2, y: 0.7 },
      quality: 60,
      format: "webp",
    } as const);
    expect(new URL(named).search).toBe(
      "?download=1&w=256&h=128&fit=crop&q=60&fm=webp&crop=focalpoint&fp-x=0.2&fp-y=0.7",
    );
    expect(await request(named)).toEqual({ type: "image/webp", width: 256, height: 128 });
    expect(src(url)).toBe(url);
  });

  it("A focal point of the client has at most the four decimals that a URL may have", async () => {
    const named = src(url, { width: 128, height: 128, fit: "crop", focalPoint: { x: 1 / 3, y: 1e-7 } });
    expect(new URL(named).search).toBe("?w=128&h=128&fit=crop&crop=focalpoint&fp-x=0.3333&fp-y=0");
    expect(await request(named)).toMatchObject({ width: 128, height: 128 });
  });

  it("The client's `srcset` promises the widths that its URLs have", async () => {
    expect(await requestSrcset(srcset(url, { maxWidth: 1200 }))).toEqual([320, 480, 640, 960]);
    expect(await requestSrcset(srcset(url, { width: 160 }), 160)).toEqual([160, 320, 480]);
    expect(await requestSrcset(srcset(url, { widths: [320, 640], aspectRatio: 2, fit: "crop" }))).toEqual([320, 640]);
  });

  it("The client's `picture` offers formats before the image's own", async () => {
    const { sources, img } = picture(url, { widths: [320, 640], formats: ["webp"], sizes: "50vw" });
    expect(sources.map(({ type, sizes }) => [type, sizes])).toEqual([["image/webp", "50vw"]]);
    expect(await requestSrcset(sources[0]?.srcset ?? "")).toEqual([320, 640]);
    expect(await request(sources[0]?.srcset.split(" ")[0] ?? "")).toMatchObject({ type: "image/webp" });
    expect(await request(img.src)).toMatchObject({ width: 640, type: "image/png" });
    expect(await requestSrcset(img.srcset)).toEqual([320, 640]);
  });

  it("The client's `signUrl` and `signSrcset` sign URLs of exact sizes, also URLs of libraries", async () => {
    const id = "01hzy3v7k9q4r5s6t7v8w9x0yk";
    await setRules(ACCOUNT_ID, { variants: "signed", signingKeys: { [id]: "The site" } });
    const key = formatSigningKey(await deriveSigningKey(cdnEnv.URL_SIGNING_SECRET, ACCOUNT_ID, id));
    const { response } = await observe(src(url, { width: 77 }));
    expect(response.status).toBe(403);
    expect(await request(await signUrl(src(url, { width: 77 }), key))).toMatchObject({ width: 77 });
    expect(await request(await signUrl(unpic(url, { width: 99, height: 55 }), key))).toMatchObject({
      width: 99,
      height: 55,
    });
    expect(await requestSrcset(await signSrcset(srcset(url, { width: 101 }), key), 101)).toEqual([101, 202, 303]);
    expect(await signUrl(src(url, { width: 77 }), "service_live_x").catch(String)).toContain("no signing key");
  });
});
