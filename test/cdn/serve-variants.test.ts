import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { CdnEnv } from "../../src/cdn/env.ts";
import type { VariantTask } from "../../src/codecs/worker.ts";
import { fileKey, objectUrl, thumbnailKey, variantsPrefix } from "../../src/domain/object-key.ts";
import { toMark } from "../../src/domain/takedown.ts";
import type { Variant } from "../../src/domain/variants/variant.ts";
import type { VariantKeeper, VariantOrdered } from "../../src/domain/variants/variant-order.ts";
import { readHead } from "../../src/media/first-bytes.ts";
import { writeGif } from "../support/gif/write-gif.ts";
import { makePng } from "../support/media/make-png.ts";
import { bigEndian, pngChunk } from "../support/media/media-bytes.ts";
import { ACCOUNT_ID, bytesOf, cdnEnv, fetchFile, ORIGIN, observe } from "./harness.ts";

// Variants of stored images: the URL's parameters, the object that is stored, and how it is served (VAR-1 to VAR-5).

/** A gradient of 300 by 200 pixels. */
const SOURCE = await makePng(300, 200);

let url: string;
let uploadId: string;
let prefix: string;
let uploads = 0;

beforeEach(async () => {
  ({ url } = await storeFile("picture.png", SOURCE, "image/png"));
});

/** Stores a file as an upload of its own: each has its own maker. */
async function storeFile(name: string, bytes: Uint8Array, contentType: string) {
  uploadId = `01hzy3v7k9q4r5s6t7v8w9${String(uploads++).padStart(4, "0")}`;
  prefix = variantsPrefix(ACCOUNT_ID, uploadId);
  const objectKey = fileKey(ACCOUNT_ID, uploadId, name);
  await cdnEnv.FILES.put(objectKey, bytes, { httpMetadata: { contentType } });
  return { url: objectUrl(ORIGIN, objectKey), objectKey };
}

/** The chunk `acTL` of an APNG. */
function animationControl(frames: number): Uint8Array {
  return pngChunk("acTL", bigEndian(frames, 4), bigEndian(0, 4));
}

async function variantsStored(): Promise<string[]> {
  const { objects } = await cdnEnv.FILES.list({ prefix });
  return objects.map(({ key }) => key.slice(prefix.length));
}

/** Lets the upload's maker call this codec, and by default wait shortly for it. */
async function withCodecs(
  variant: (...args: Parameters<CdnEnv["CODECS"]["variant"]>) => Promise<unknown>,
  codecTimeoutMs = 20,
): Promise<void> {
  await runInDurableObject(cdnEnv.VARIANT_MAKER.getByName(uploadId), (instance) => {
    Object.assign(instance, { env: { ...cdnEnv, CODECS: { variant } }, codecTimeoutMs });
  });
}

/** Requests a variant and reads its type and size. */
async function get(query: string, headers: Record<string, string> = {}) {
  const response = await fetchFile(`${url}?${query}`, { headers });
  const bytes = await bytesOf(response);
  const type = response.headers.get("Content-Type") ?? "";
  const { width, height } = readHead(type as "image/png", new Uint8Array(bytes), true);
  return { status: response.status, type, width, height, headers: response.headers, bytes };
}

describe("sizes by URL", () => {
  it.each([
    ["w=128", 128, 85],
    ["width=128", 128, 85],
    ["h=64", 96, 64],
    ["w=128&h=64", 96, 64],
    ["w=64&dpr=2", 128, 85],
    ["w=128&h=128&fit=crop", 128, 128],
    ["w=128&h=64&fit=cover", 128, 64],
    ["w=128&h=128&fit=scale", 128, 128],
    ["w=128&h=128&fit=fill&bg=fff", 128, 128],
    ["w=5000", 300, 200],
    ["w=1000000000", 300, 200],
    ["w=320&h=320&fit=crop", 320, 320],
    ["w=64&rot=90", 64, 96],
    ["rect=0,0,100,100&w=64", 64, 64],
  ])("The query %s gets a picture of %i by %i pixels", async (query, width, height) => {
    expect(await get(query)).toMatchObject({ status: 200, type: "image/png", width, height });
  });

  it("A width between two sizes of the grid gets the larger one", async () => {
    expect(await get("w=100")).toMatchObject({ status: 200, width: 128 });
    expect(await get("w=101")).toMatchObject({ status: 200, width: 128 });
    expect(await variantsStored()).toEqual(["w128.png"]);
  });

  it.each([
    ["w=0", "w"],
    ["w=-5", "w"],
    ["w=1e3", "w"],
    ["width=abc", "width"],
    ["h=1px", "h"],
    ["fit=stretch", "fit"],
    ["dpr=4", "dpr"],
    ["q=101", "q"],
    ["fm=tiff", "fm"],
    ["rot=45", "rot"],
    ["crop=middle", "crop"],
    ["rect=1,2,3", "rect"],
    ["bg=red", "bg"],
    ["blur=3000", "blur"],
    // Names of properties that every object has.
    ["fit=constructor", "fit"],
    ["fm=__proto__", "fm"],
    ["fm=toString", "fm"],
    ["flip=valueOf", "flip"],
    ["crop=constructor", "crop"],
    ["crop=top,hasOwnProperty", "crop"],
  ])("The wrong value %s is 400 and names the parameter %s", async (query, parameter) => {
    const response = await fetchFile(`${url}?${query}`);
    expect(response.status).toBe(400);
    const body = await response.json<{ code: string; details: Record<string, string> }>();
    expect(body.code).toBe("invalid_query");
    expect(Object.keys(body.details)).toEqual([parameter]);
  });

  it("A parameter without a value counts as absent", async () => {
    expect(await bytesOf(await fetchFile(`${url}?w=&h=&fit=&q=&fm=&auto=&p=&frame=`))).toEqual(SOURCE);
    expect(await get("w=&width=64&h=&fm=")).toMatchObject({ status: 200, type: "image/png", width: 64, height: 43 });
    expect(await variantsStored()).toEqual(["w64.png"]);
  });

  it("Unknown parameters are ignored", async () => {
    const response = await fetchFile(`${url}?utm_source=mail&W=100`);
    expect(await bytesOf(response)).toEqual(SOURCE);
  });
});

describe("formats", () => {
  it("The parameter `auto=format` gets WebP if the client accepts it, and sends `Vary: Accept`", async () => {
    const modern = await get("w=64&auto=format", { Accept: "image/avif,image/webp,image/*,*/*;q=0.8" });
    expect(modern).toMatchObject({ status: 200, type: "image/webp", width: 64 });
    expect(modern.headers.get("Vary")).toBe("Accept");
    const old = await get("w=64&auto=format", { Accept: "image/*" });
    expect(old).toMatchObject({ status: 200, type: "image/png", width: 64 });
    expect(old.headers.get("Vary")).toBe("Accept");
  });

  it.each([
    ["image/webp;q=0", "image/png"],
    ["image/webp ; Q=0.000 , */*", "image/png"],
    ["image/avif;q=0.0,image/png", "image/png"],
    ["image/webp;q=0.001,image/avif;q=0", "image/webp"],
  ])("The parameter `auto=format` with `Accept: %s` gets %s", async (accept, type) => {
    const variant = await get("w=64&auto=format", { Accept: accept });
    expect(variant).toMatchObject({ status: 200, type });
    expect(variant.headers.get("X-Variant")).toBeNull();
  });

  it.each([
    ["jpg", "image/jpeg"],
    ["png", "image/png"],
    ["webp", "image/webp"],
  ])("The parameter `fm=%s` gets %s", async (format, type) => {
    expect(await get(`w=64&fm=${format}`)).toMatchObject({ status: 200, type, width: 64, height: 43 });
  });

  it("A variant of an animation that shows the first frame has a header for it", async () => {
    // An animation control, after the signature and the header.
    const animated = new Uint8Array([...SOURCE.slice(0, 33), ...animationControl(2), ...SOURCE.slice(33)]);
    ({ url } = await storeFile("animated.png", animated, "image/png"));
    for (let i = 0; i < 2; i++) {
      const { headers, width } = await get("w=64&fm=jpg");
      expect([width, headers.get("X-Variant"), headers.get("Cache-Control")]).toEqual([
        ...[64, "first-frame", "public, max-age=300, no-transform"],
      ]);
    }
  });

  it("A download has the extension of the variant's format", async () => {
    const { headers } = await get("w=64&fm=webp&download=1");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="picture.png.webp"');
  });
});

describe("storing variants", () => {
  it("A variant is made once, also for many clients at once, and then served by one R2 operation", async () => {
    let calls = 0;
    await withCodecs((...args) => {
      calls++;
      return cdnEnv.CODECS.variant(...args);
    }, 15_000);
    const all = await Promise.all(Array.from({ length: 8 }, () => get("w=96")));
    expect(calls).toBe(1);
    expect(new Set(all.map(({ status, width }) => `${status} ${width}`))).toEqual(new Set(["200 96"]));
    expect(await variantsStored()).toEqual(["w96.png"]);
    const { operations, views, response } = await observe(`${url}?w=96`);
    expect(operations).toEqual(["get"]);
    expect(views).toHaveLength(1);
    expect(response.headers.get("ETag")).toBe((await cdnEnv.FILES.head(`${prefix}w96.png`))?.httpEtag);
  });

  it("A range, HEAD and a condition work as for the file", async () => {
    const { bytes, headers } = await get("w=96");
    const part = await fetchFile(`${url}?w=96`, { headers: { Range: "bytes=5-9" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("Content-Range")).toBe(`bytes 5-9/${bytes.length}`);
    expect(await bytesOf(part)).toEqual(bytes.slice(5, 10));
    const head = await fetchFile(`${url}?w=96`, { method: "HEAD" });
    expect([...head.headers]).toEqual([...headers]);
    const etag = headers.get("ETag") ?? "";
    const unchanged = await fetchFile(`${url}?w=96`, { headers: { "If-None-Match": etag } });
    expect(unchanged.status).toBe(304);
  });

  it("A first request may be for a range of a variant that is not made yet", async () => {
    const part = await fetchFile(`${url}?w=48`, { headers: { Range: "bytes=0-3" } });
    expect(part.status).toBe(206);
    expect(await bytesOf(part)).toEqual(Uint8Array.of(0x89, 0x50, 0x4e, 0x47));
  });

  it("An upload has at most 64 variants; then the file itself is served, marked and cached briefly", async () => {
    for (let i = 0; i < 64; i++) await cdnEnv.FILES.put(`${prefix}w16-h${i}.png`, "x");
    const { headers, bytes } = await get("w=32");
    expect(headers.get("X-Variant")).toBe("substitute");
    expect(headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(bytes).toEqual(SOURCE);
    expect(await variantsStored()).toHaveLength(64);
  });

  it("The nearest larger variant is served for a variant beyond the limit", async () => {
    for (let i = 0; i < 62; i++) await cdnEnv.FILES.put(`${prefix}w16-h${i}.png`, "x");
    await get("w=128");
    await get("w=256");
    const { headers, width } = await get("w=96");
    expect(headers.get("X-Variant")).toBe("substitute");
    expect(width).toBe(128);
  });

  it("A crop is substituted by a larger crop of the same shape, not by one of another shape", async () => {
    await get("w=256&h=128&fit=crop");
    await get("w=256&h=256&fit=crop");
    await withCodecs(() => Promise.reject(new Error("The codec is away")));
    expect(await get("w=128&h=128&fit=crop")).toMatchObject({ status: 200, width: 256, height: 256 });
    expect(await get("w=320&h=320&fit=crop")).toMatchObject({ status: 200, width: 300, height: 200 });
  });

  it.each([
    ["fails", () => Promise.reject(new Error("Worker exceeded memory limit."))],
    ["never answers", () => new Promise(() => undefined)],
    ["has no memory to spare", async () => ({ outcome: "busy", [Symbol.dispose]: () => undefined })],
    ["refuses the picture", async () => ({ outcome: "too-large", [Symbol.dispose]: () => undefined })],
  ])(
    "If the codec %s, the nearest larger variant or the file is served, marked and cached briefly",
    async (_, variant) => {
      await get("w=256");
      await withCodecs(variant);
      const nearest = await get("w=96");
      expect(nearest).toMatchObject({ status: 200, width: 256 });
      const file = await get("w=640");
      expect(file).toMatchObject({ status: 200, width: 300, bytes: SOURCE });
      for (const { headers } of [nearest, file]) {
        expect([headers.get("X-Variant"), headers.get("Cache-Control")]).toEqual(["substitute", "public, max-age=60"]);
      }
      expect(await variantsStored()).toEqual(["w256.png"]);
    },
  );

  it("A codec that failed is not called again at once for the same variant", async () => {
    let calls = 0;
    await withCodecs(() => {
      calls++;
      return Promise.reject(new Error("Worker exceeded memory limit."));
    });
    for (let i = 0; i < 3; i++) expect((await get("w=96")).headers.get("X-Variant")).toBe("substitute");
    expect(calls).toBe(1);
  });

  it("If the substitute is deleted before it is read, the file itself is served", async () => {
    await get("w=256");
    await withCodecs(async () => {
      await cdnEnv.FILES.delete(`${prefix}w256.png`);
      throw new Error("The codec is away");
    });
    expect(await get("w=96")).toMatchObject({ status: 200, bytes: SOURCE });
  });

  it("A variant of a missing file is 404 and stores nothing", async () => {
    await cdnEnv.FILES.delete(fileKey(ACCOUNT_ID, uploadId, "picture.png"));
    const response = await fetchFile(`${url}?w=64`);
    expect(response.status).toBe(404);
    await response.body?.cancel();
    expect(await variantsStored()).toEqual([]);
  });

  it("A variant of a file that is deleted while it is made is not stored", async () => {
    const objectKey = fileKey(ACCOUNT_ID, uploadId, "picture.png");
    const maker = cdnEnv.VARIANT_MAKER.getByName(uploadId);
    await runInDurableObject(maker, (instance) => {
      const { FILES } = cdnEnv;
      const put = async (...args: Parameters<R2Bucket["put"]>) => {
        await FILES.delete(objectKey);
        return FILES.put(...args);
      };
      const files = new Proxy(FILES, {
        get: (bucket, name) => (name === "put" ? put : Reflect.get(bucket, name).bind(bucket)),
      });
      Object.assign(instance, { env: { ...cdnEnv, FILES: files } });
    });
    const response = await fetchFile(`${url}?w=64`);
    expect(response.status).toBe(404);
    await response.body?.cancel();
    expect(await variantsStored()).toEqual([]);
  });

  it.each(["get", "list", "put", "head"])(
    "A failure of R2 at `%s` costs the variant, and the file is served",
    async (failing) => {
      const maker = cdnEnv.VARIANT_MAKER.getByName(uploadId);
      await runInDurableObject(maker, (instance) => {
        const files = new Proxy(cdnEnv.FILES, {
          get: (bucket, name) =>
            name === failing ? () => Promise.reject(new Error("R2 is away")) : Reflect.get(bucket, name).bind(bucket),
        });
        Object.assign(instance, { env: { ...cdnEnv, FILES: files } });
      });
      const { status, headers, bytes } = await get("w=64");
      expect({ status, instead: headers.get("X-Variant") }).toEqual({ status: 200, instead: "substitute" });
      expect(bytes).toEqual(SOURCE);
      await runInDurableObject(maker, (instance) => Object.assign(instance, { env: cdnEnv }));
      expect(await get("w=64")).toMatchObject({ status: 200, width: 64 });
    },
  );

  it("A file that is no image is served as it is", async () => {
    const video = await storeFile("film.mp4", new Uint8Array(500), "video/mp4");
    const response = await fetchFile(`${video.url}?w=64`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("video/mp4");
    expect((await bytesOf(response)).length).toBe(500);
  });

  it("A damaged image is served as it is", async () => {
    const damaged = await storeFile("damaged.png", SOURCE.slice(0, 40), "image/png");
    const response = await fetchFile(`${damaged.url}?w=64`);
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Variant")).toBe("substitute");
    expect((await bytesOf(response)).length).toBe(40);
  });
});

/** Lets an operation on the bucket fail, or counts the operation. */
function filesWith(replaced: Partial<Record<"get" | "head" | "put", (...args: never[]) => unknown>>): R2Bucket {
  return new Proxy(cdnEnv.FILES, {
    get: (bucket, name) => replaced[name as "get"] ?? Reflect.get(bucket, name).bind(bucket),
  });
}

/** The bytes that a test's media processor makes. They are not decoded. */
const MADE = new TextEncoder().encode("made by the media processor");

/** Lets the upload's maker send its orders to the test. @returns the orders */
async function takeOrders(replaced: Record<string, unknown> = {}, send?: (order: VariantOrdered) => Promise<unknown>) {
  const orders: VariantOrdered[] = [];
  const UPLOADS = {
    send: async (order: VariantOrdered) => {
      orders.push(order);
      await send?.(order);
    },
  };
  await runInDurableObject(cdnEnv.VARIANT_MAKER.getByName(uploadId), (instance) => {
    Object.assign(instance, { env: { ...cdnEnv, UPLOADS, ...replaced }, frameTimeoutMs: 20 });
  });
  return orders;
}

/** Finds the file before a variant is stored, and fails afterwards. */
function headThenFail(message: string) {
  let heads = 0;
  return (key: string) => (heads++ === 0 ? cdnEnv.FILES.head(key) : Promise.reject(new Error(message)));
}

function keep(order: VariantOrdered, contentType: string, bytes: Uint8Array = MADE, isFirstFrame = false) {
  const keeper: VariantKeeper = cdnEnv.VARIANT_MAKER.getByName(order.uploadId);
  const body = new Response(new Uint8Array(bytes)).body as ReadableStream<Uint8Array>;
  return keeper.keep(order, { contentType, sizeBytes: bytes.length, isFirstFrame }, body);
}

function onlyOrder(orders: readonly VariantOrdered[]): VariantOrdered {
  expect(orders).toHaveLength(1);
  return orders[0] as VariantOrdered;
}

describe("AVIF", () => {
  const AVIF = { Accept: "image/avif,image/webp,*/*" };

  it.each(["w=64&fm=avif", "w=64&auto=format"])(
    "The first request for %s gets WebP, marked and cached briefly; later ones get the AVIF",
    async (query) => {
      const orders = await takeOrders();
      const first = await get(query, AVIF);
      expect(first).toMatchObject({ status: 200, type: "image/webp", width: 64 });
      expect([first.headers.get("X-Variant"), first.headers.get("Cache-Control")]).toEqual([
        "substitute",
        "public, max-age=60",
      ]);
      expect((await get(query, AVIF)).type).toBe("image/webp");
      const order = onlyOrder(orders);
      expect(order).toMatchObject({
        type: "variant.ordered",
        accountId: ACCOUNT_ID,
        uploadId,
        mimeType: "image/png",
        objectKey: `${prefix}w64-q75.avif`,
        make: { width: 64, format: "avif" },
      });
      expect(order.sourceKey).toBe(order.fileKey);
      expect(await keep(order, "image/avif")).toBe("kept");
      const { operations, response, body } = await observe(`${url}?${query}`, { headers: AVIF });
      expect(operations).toEqual(["get"]);
      expect(body).toEqual(MADE);
      expect(response.headers.get("Content-Type")).toBe("image/avif");
      expect(response.headers.get("X-Variant")).toBeNull();
      expect(await variantsStored()).toEqual(["w64-q75.avif", "w64-q75.webp"]);
    },
  );

  it("A download of an AVIF has its extension", async () => {
    const orders = await takeOrders();
    await get("w=64&fm=avif");
    await keep(onlyOrder(orders), "image/avif");
    const response = await fetchFile(`${url}?w=64&fm=avif&download=1`, { method: "HEAD" });
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="picture.png.avif"');
  });

  it("A client that does not accept AVIF never gets one for `auto=format`", async () => {
    const orders = await takeOrders();
    expect(await get("w=64&auto=format", { Accept: "image/webp" })).toMatchObject({ type: "image/webp" });
    expect(orders).toEqual([]);
  });

  it("AVIF becomes unmarked WebP without a media processor, and nothing is ordered", async () => {
    const orders = await takeOrders({ MEDIA_PROCESSOR: "none" });
    for (const query of ["w=64&auto=format", "w=64&fm=avif"]) {
      const { response } = await observe(`${url}?${query}`, { headers: AVIF }, { MEDIA_PROCESSOR: "none" });
      expect(response.headers.get("Content-Type")).toBe("image/webp");
      expect(response.headers.get("X-Variant")).toBeNull();
    }
    expect(orders).toEqual([]);
    expect(await variantsStored()).toEqual(["w64-q75.webp"]);
  });

  it("If the media processor declines, WebP stays and is not ordered again at once", async () => {
    const orders = await takeOrders();
    await get("w=64&fm=avif");
    await cdnEnv.VARIANT_MAKER.getByName(uploadId).decline(onlyOrder(orders));
    expect(await get("w=64&fm=avif")).toMatchObject({ status: 200, type: "image/webp" });
    expect(orders).toHaveLength(1);
  });

  it("If the order cannot be sent, WebP is served, and the next request orders again", async () => {
    const orders = await takeOrders({}, () => Promise.reject(new Error("The queue is away")));
    for (let i = 0; i < 2; i++) expect(await get("w=64&fm=avif")).toMatchObject({ status: 200, type: "image/webp" });
    expect(orders).toHaveLength(2);
  });

  it("Ordered variants count among the 64 of an upload", async () => {
    for (let i = 0; i < 62; i++) await cdnEnv.FILES.put(`${prefix}w16-h${i}.png`, "x");
    const orders = await takeOrders();
    await get("w=64&fm=avif");
    await get("w=128&fm=avif");
    expect(orders).toHaveLength(1);
    expect(await variantsStored()).toHaveLength(63);
  });

  it("A variant that is too large for the Codec Worker is ordered, and the file is served in the meantime", async () => {
    const tooLarge = async () => ({ outcome: "too-large", [Symbol.dispose]: () => undefined });
    const orders = await takeOrders({ CODECS: { variant: tooLarge } });
    const first = await get("w=256&fm=webp");
    expect([first.headers.get("X-Variant"), first.width]).toEqual(["substitute", 300]);
    await keep(onlyOrder(orders), "image/webp");
    expect((await observe(`${url}?w=256&fm=webp`)).body).toEqual(MADE);
  });

  it("A WebP that could not be made as the substitute for an AVIF is ordered when it is requested itself", async () => {
    const tooLarge = async () => ({ outcome: "too-large", [Symbol.dispose]: () => undefined });
    const orders = await takeOrders({ CODECS: { variant: tooLarge } });
    for (const format of ["avif", "webp"]) await get(`w=256&fm=${format}`);
    expect(orders.map(({ objectKey }) => objectKey)).toEqual([`${prefix}w256-q75.avif`, `${prefix}w256-q75.webp`]);
  });

  it("A WebP that is requested while it is tried as a substitute is ordered, too", async () => {
    const tried = Promise.withResolvers<void>();
    const isWanted = Promise.withResolvers<void>();
    const tooLarge = async ({ variant }: VariantTask) => {
      if (variant.format === "webp") {
        tried.resolve();
        await isWanted.promise;
      }
      return { outcome: "too-large", [Symbol.dispose]: () => undefined };
    };
    const orders = await takeOrders({ CODECS: { variant: tooLarge } });
    const avif = get("w=256&fm=avif");
    await tried.promise;
    const maker = cdnEnv.VARIANT_MAKER.getByName(uploadId);
    const { fileKey: key, make } = onlyOrder(orders);
    const sourceType = "image/png" as const;
    const source = { accountId: ACCOUNT_ID, uploadId, fileKey: key, sourceType, objectKey: `${prefix}w256-q75.webp` };
    const webp = maker.make(source, { ...(make as Variant), format: "webp" }, { address: "unknown", tier: "free" });
    // An object answers calls in order.
    await maker.decline({ ...onlyOrder(orders), objectKey: `${prefix}other.webp` });
    isWanted.resolve();
    expect([(await avif).headers.get("X-Variant"), (await webp).outcome]).toEqual(["substitute", "instead"]);
    expect(orders.map(({ objectKey }) => objectKey)).toEqual([`${prefix}w256-q75.avif`, `${prefix}w256-q75.webp`]);
  });

  it("A request for an AVIF that is ordered does not open the file", async () => {
    const opened: string[] = [];
    const FILES = filesWith({
      get: (key: string) => {
        opened.push(key);
        return cdnEnv.FILES.get(key);
      },
    });
    await takeOrders({ FILES });
    for (let i = 0; i < 3; i++) expect((await get("w=64&fm=avif")).type).toBe("image/webp");
    // The codec reads its size for the AVIF, and makes the WebP.
    expect(opened).toHaveLength(2);
  });

  it.each(["w=8192&h=8192&fit=scale&fm=avif", "w=8192&h=8192&fit=crop&crop=entropy&fm=webp"])(
    "A variant of more than five megapixels (%s) is not ordered; the file is served, and the codec called once",
    async (query) => {
      ({ url } = await storeFile("wide.png", await makePng(100, 1), "image/png"));
      let asked = 0;
      const variant = (...args: Parameters<typeof cdnEnv.CODECS.variant>) => {
        asked++;
        return cdnEnv.CODECS.variant(...args);
      };
      const orders = await takeOrders({ CODECS: { variant } });
      const wanted = query.includes("avif") ? 2 : 1;
      for (let i = 0; i < 3; i++) expect((await get(query)).headers.get("X-Variant")).toBe("substitute");
      expect(orders).toEqual([]);
      // One call is for the AVIF, and one for the WebP that would be its substitute.
      expect(asked).toBe(wanted);
    },
  );

  it("A first frame of an animation that the media processor made is marked", async () => {
    const orders = await takeOrders();
    await get("w=64&fm=avif");
    await keep(onlyOrder(orders), "image/avif", MADE, true);
    expect((await observe(`${url}?w=64&fm=avif`)).response.headers.get("X-Variant")).toBe("first-frame");
  });
});

describe("names with the extension of another type", () => {
  it("A PNG that is named `photo.jpg` has variants of a PNG, and a hit costs one operation", async () => {
    ({ url } = await storeFile("photo.jpg", SOURCE, "image/png"));
    expect(await get("w=64")).toMatchObject({ status: 200, type: "image/png", width: 64 });
    expect(await get("w=64&fm=jpg")).toMatchObject({ status: 200, type: "image/jpeg", width: 64 });
    expect(await variantsStored()).toEqual(["w64-q75.jpg", "w64.png"]);
    await observe(`${url}?w=96`);
    expect((await observe(`${url}?w=64`)).operations).toEqual(["get"]);
  });

  it("Simultaneous first requests get the variant of the file's own type", async () => {
    ({ url } = await storeFile("photo.jpg", SOURCE, "image/png"));
    const variants = await Promise.all([get("w=64"), get("w=64"), get("w=64&auto=format")]);
    for (const variant of variants) expect(variant).toMatchObject({ status: 200, type: "image/png", width: 64 });
    expect(await variantsStored()).toEqual(["w64.png"]);
  });

  it("`auto=format` makes no AVIF of a GIF that is named `photo.jpg`", async () => {
    const still = writeGif({
      width: 64,
      height: 32,
      frames: [{ width: 64, height: 32, pixel: () => 0 }],
      colours: [
        [9, 9, 9],
        [0, 0, 0],
      ],
    });
    ({ url } = await storeFile("photo.jpg", new Uint8Array(still), "image/gif"));
    const orders = await takeOrders();
    const variant = await get("w=64&auto=format", { Accept: "image/avif,image/webp" });
    expect([variant.status, variant.type, variant.headers.get("X-Variant")]).toEqual([200, "image/webp", null]);
    expect(orders).toEqual([]);
  });

  it("A video that is named `film.jpg` has frames, and `frame` of an image that is named `photo.mp4` is ignored", async () => {
    ({ url } = await storeFile("film.jpg", new Uint8Array(500), "video/mp4"));
    const orders = await takeOrders();
    expect((await fetchFile(`${url}?frame=3&w=64`)).status).toBe(404);
    expect(onlyOrder(orders)).toMatchObject({ mimeType: "video/mp4", make: { posterMs: 3000 } });
    ({ url } = await storeFile("photo.mp4", SOURCE, "image/png"));
    expect(await get("frame=3&w=64")).toMatchObject({ status: 200, type: "image/png", width: 64 });
  });

  it("The isolate learns a file's type when it serves the file in place of a variant", async () => {
    ({ url } = await storeFile("photo.jpg", SOURCE, "image/png"));
    const refusing = { limit: async () => ({ success: false }) };
    const { response, body } = await observe(`${url}?w=64`, {}, { VARIANTS_BY_FREE: refusing });
    expect([response.headers.get("X-Variant"), body]).toEqual(["substitute", SOURCE]);
    await cdnEnv.FILES.put(`${prefix}w64.png`, "stored", { httpMetadata: { contentType: "image/png" } });
    expect((await observe(`${url}?w=64`)).operations).toEqual(["get"]);
  });
});

describe("animations", () => {
  const frame = (pixel: number) => ({ width: 64, height: 32, pixel: () => pixel });
  const GIF = writeGif({
    width: 64,
    height: 32,
    frames: [frame(0), frame(1)],
    colours: [
      [255, 0, 0],
      [0, 0, 255],
    ],
  });
  beforeEach(async () => {
    ({ url } = await storeFile("moving.gif", new Uint8Array(GIF), "image/gif"));
  });

  it.each(["w=32&fm=webp", "w=32&auto=format"])(
    "An animated GIF is ordered as a WebP (%s), and served itself until the WebP comes",
    async (query) => {
      const headers = { Accept: "image/avif,image/webp" };
      const orders = await takeOrders();
      for (let i = 0; i < 2; i++) {
        const first = await get(query, headers);
        expect([first.type, first.headers.get("X-Variant")]).toEqual(["image/gif", "substitute"]);
      }
      const order = onlyOrder(orders);
      expect(order).toMatchObject({ mimeType: "image/gif", objectKey: `${prefix}w32-q75.webp` });
      await keep(order, "image/webp");
      const { response, body } = await observe(`${url}?${query}`, { headers });
      expect([response.headers.get("X-Variant"), body]).toEqual([null, MADE]);
    },
  );

  it("No still WebP stands in for an AVIF of an animated GIF", async () => {
    const orders = await takeOrders();
    expect((await get("w=32&fm=avif")).type).toBe("image/gif");
    expect(onlyOrder(orders).objectKey).toBe(`${prefix}w32-q75.avif`);
    expect(await variantsStored()).toEqual([]);
  });

  it("The first frame is served and marked without a media processor, and in other formats", async () => {
    const orders = await takeOrders();
    expect((await get("w=32&fm=png")).headers.get("X-Variant")).toBe("first-frame");
    await takeOrders({ MEDIA_PROCESSOR: "none" });
    const { response } = await observe(`${url}?w=32&fm=webp`, {}, { MEDIA_PROCESSOR: "none" });
    expect(response.headers.get("X-Variant")).toBe("first-frame");
    expect(orders).toEqual([]);
  });
});

describe("objects that come back from the media processor", () => {
  const file = () => fileKey(ACCOUNT_ID, uploadId, "picture.png");

  it.each([
    ["deleted before it comes back", async () => cdnEnv.FILES.delete(file())],
    ["taken down before it comes back", async () => cdnEnv.FILES.put(file(), "", { customMetadata: toMark("1") })],
  ])("A variant whose file is %s is not stored", async (_, remove) => {
    const put: string[] = [];
    const FILES = filesWith({
      put: (key: string, body: ReadableStream<Uint8Array>, options: R2PutOptions) => {
        put.push(key);
        return cdnEnv.FILES.put(key, body, options);
      },
    });
    const orders = await takeOrders({ FILES });
    await get("w=64&fm=avif");
    await remove();
    expect(await keep(onlyOrder(orders), "image/avif")).toBe("gone");
    // The WebP that was the substitute.
    expect(put).toEqual([`${prefix}w64-q75.webp`]);
  });

  it("If the maker dies after storing, the order fails, so that the queue delivers it again", async () => {
    const orders = await takeOrders();
    await get("w=64&fm=avif");
    await takeOrders({ FILES: filesWith({ head: headThenFail("The object died") }) });
    expect(await keep(onlyOrder(orders), "image/avif").catch(String)).toContain("The object died");
  });
});

describe("frames of a video", () => {
  const jpeg = async () => (await get("w=128&fm=jpg")).bytes as Uint8Array<ArrayBuffer>;
  let poster: Uint8Array<ArrayBuffer>;

  beforeEach(async () => {
    poster = await jpeg();
    ({ url } = await storeFile("film.mp4", new Uint8Array(500), "video/mp4"));
  });

  const answering = (order: VariantOrdered) => {
    // The queue delivers after the request.
    setTimeout(() => void keep(order, "image/jpeg", poster).catch(() => undefined), 0);
    return Promise.resolve();
  };

  it("A frame is ordered once for all sizes, stored, and sized like an image", async () => {
    const orders = await takeOrders({}, answering);
    await runInDurableObject(cdnEnv.VARIANT_MAKER.getByName(uploadId), (instance) => {
      Object.assign(instance, { frameTimeoutMs: 10_000 });
    });
    const [small, square] = await Promise.all([get("frame=1.5&w=64&fm=webp"), get("frame=1.5&w=48&h=48&fit=crop")]);
    expect(small).toMatchObject({ status: 200, type: "image/webp", width: 64 });
    expect(square).toMatchObject({ status: 200, type: "image/jpeg", width: 48, height: 48 });
    expect(onlyOrder(orders)).toMatchObject({
      mimeType: "video/mp4",
      objectKey: `${prefix}poster1500.jpg`,
      make: { posterMs: 1500 },
    });
    expect(await variantsStored()).toEqual([
      "poster1500.jpg",
      "w48-h48-crop-at0.5x0.5-q75-frame1500.jpg",
      "w64-q75-frame1500.webp",
    ]);
    const { operations } = await observe(`${url}?frame=1.5&w=64&fm=webp`);
    expect(operations).toEqual(["get"]);
  });

  it("If a frame does not come in time, the thumbnail is served, marked and cached briefly", async () => {
    const thumbnail = thumbnailKey(ACCOUNT_ID, uploadId);
    await cdnEnv.FILES.put(thumbnail, poster, { httpMetadata: { contentType: "image/jpeg" } });
    const orders = await takeOrders();
    const { status, type, headers } = await get("frame=3&w=64");
    expect([status, type, headers.get("X-Variant"), headers.get("Cache-Control")]).toEqual([
      ...[200, "image/jpeg", "substitute", "public, max-age=60"],
    ]);
    await keep(onlyOrder(orders), "image/jpeg", poster);
    expect(await get("frame=3&w=64")).toMatchObject({ status: 200, width: 64 });
    expect(orders).toHaveLength(1);
  });

  it.each([
    ["does not come in time", {}],
    ["cannot be made without a media processor", { MEDIA_PROCESSOR: "none" }],
  ])("If a frame %s and there is no thumbnail, the answer is 404 and not the video", async (_, replaced) => {
    await takeOrders(replaced);
    const response = await fetchFile(`${url}?frame=3&w=64`);
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([404, "frame_not_found"]);
  });

  it("A frame is served even if its file could not be checked after it was stored", async () => {
    const orders = await takeOrders();
    await (await fetchFile(`${url}?frame=3&w=64`)).body?.cancel();
    await takeOrders({ FILES: filesWith({ head: headThenFail("R2 is away") }) });
    expect(await keep(onlyOrder(orders), "image/jpeg", poster).catch(String)).toContain("R2 is away");
    const later = await takeOrders();
    expect(await get("frame=3&w=64")).toMatchObject({ status: 200, width: 64 });
    expect(later).toEqual([]);
  });

  it.each(["frame=-1", "frame=abc", "frame=86401"])("The wrong time %s is 400", async (query) => {
    const response = await fetchFile(`${url}?${query}`);
    expect(response.status).toBe(400);
    expect(Object.keys((await response.json<{ details: object }>()).details)).toEqual(["frame"]);
  });

  it("The frames of a video count among its 64 variants", async () => {
    for (let i = 0; i < 64; i++) await cdnEnv.FILES.put(`${prefix}w16-h${i}.jpg`, "x");
    const orders = await takeOrders();
    const response = await fetchFile(`${url}?frame=2`);
    await response.body?.cancel();
    expect(response.status).toBe(404);
    expect(orders).toEqual([]);
  });

  it("The parameter `frame` changes nothing about an image", async () => {
    ({ url } = await storeFile("picture.png", SOURCE, "image/png"));
    expect(await get("frame=2&w=64")).toMatchObject({ status: 200, type: "image/png", width: 64 });
  });
});
