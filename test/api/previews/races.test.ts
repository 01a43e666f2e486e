import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { previewKey, previewPath } from "../../../src/domain/object-key.ts";
import { signPreview } from "../../../src/domain/preview-token.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import { MediaProcessor, type SendToProcessor } from "../../../src/processor/media-processor.ts";
import { getPreview } from "../../../src/services/previews/get-preview.ts";
import { replaceStores, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { photoWithComment } from "../../support/codecs/photo.ts";
import { largeProgressiveJpeg } from "../../support/jpeg/large-progressive.ts";
import { gif } from "../../support/media/samples.ts";

type Making = Parameters<typeof getPreview>[0];

/** The service with the test's stores, and the work that it does after its answers. */
function makingWith(files: R2Bucket, send?: SendToProcessor) {
  const later: Promise<unknown>[] = [];
  const services: Making = {
    files,
    processor: new MediaProcessor(send, "http://source.example", env.CODECS),
    config: {
      previewSecret: onlySecret(env.PREVIEW_SECRET),
    } as unknown as Making["config"],
    now: Date.now,
    previewReads: env.PREVIEW_READS,
    waitUntil: (work) => {
      later.push(work);
    },
  };
  return { services, settled: () => Promise.all(later) };
}

async function wanted(key: string, atMs = Date.now()) {
  const token = await signPreview(env.PREVIEW_SECRET, previewPath(key), Math.floor(atMs / 1000) + 600);
  const [, accountId = "", file = ""] = key.split("/");
  return { accountId, file, token };
}

function bucketWith(replaced: Partial<R2Bucket>): R2Bucket {
  return new Proxy(env.FILES, {
    get: (bucket, name) => Reflect.get(replaced, name) ?? Reflect.get(bucket, name).bind(bucket),
  });
}

/** The object with a body of this many bytes. */
function withBody(object: R2ObjectBody, sizeBytes: number): R2ObjectBody {
  return replaceBody(object, new Response(new Uint8Array(sizeBytes).fill(1)).body as ReadableStream<Uint8Array>);
}

function replaceBody(object: R2ObjectBody, body: ReadableStream<Uint8Array>): R2ObjectBody {
  const { key, size, httpMetadata } = object;
  return { key, size, httpMetadata, body } as R2ObjectBody;
}

async function bytesOf(body: Awaited<ReturnType<typeof getPreview>>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
}

interface StoredPicture {
  readonly account: TestAccount;
  readonly id: string;
  readonly key: string;
}

async function storePhoto(): Promise<StoredPicture> {
  const account = await openAccount();
  const { _id, filename } = await uploadOne(account.uploadKey, { name: "photo.jpg", bytes: photoWithComment() });
  return { account, id: _id, key: filename };
}

const isKept = async ({ id }: TestAccount, uploadId: string) =>
  (await env.FILES.head(previewKey(id, uploadId))) !== null;
const remove = ({ token }: TestAccount, id: string) =>
  call(`/images/${id}`, { method: "DELETE", headers: bearer(token) });

describe("Preview races", () => {
  it("A preview requested twice at once is the same for both, and is kept", async () => {
    const { account, id, key } = await storePhoto();
    const { services, settled } = makingWith(env.FILES);
    const previews = await Promise.all([1, 2].map(async () => bytesOf(await getPreview(services, await wanted(key)))));
    expect(previews[0]?.length).toBeGreaterThan(0);
    expect(previews[1]).toEqual(previews[0]);
    await settled();
    expect(await isKept(account, id)).toBe(true);
  });

  it("A preview made while its file is deleted is not kept", async () => {
    const { account, id, key } = await storePhoto();
    const put = async (...args: Parameters<R2Bucket["put"]>) => {
      expect((await remove(account, id)).status).toBe(200);
      return env.FILES.put(...args);
    };
    const { services, settled } = makingWith(bucketWith({ put: put as R2Bucket["put"] }));
    expect((await bytesOf(await getPreview(services, await wanted(key)))).length).toBeGreaterThan(0);
    await settled();
    expect(await isKept(account, id)).toBe(false);
  });

  it("A preview made between R2's deletions of several objects is not kept, in either order", async () => {
    for (const order of ["as told", "backwards"]) {
      const { account, id, key } = await storePhoto();
      const { services, settled } = makingWith(env.FILES);
      const make = async () => {
        await getPreview(services, await wanted(key));
        await settled();
      };
      await make();
      const oneByOne = async (keys: string | string[]) => {
        const each = [keys].flat();
        for (const key of order === "as told" ? each : each.reverse()) {
          await env.FILES.delete(key);
          await make();
        }
      };
      await replaceStores(account.id, { FILES: bucketWith({ delete: oneByOne }) });
      expect((await remove(account, id)).status).toBe(200);
      await restoreStores(account.id);
      expect(await isKept(account, id), order).toBe(false);
    }
  });

  it("A preview that cannot be stored is still answered", async () => {
    const { account, id, key } = await storePhoto();
    const put = () => Promise.reject(new Error("R2 is away"));
    const { services, settled } = makingWith(bucketWith({ put }));
    expect((await bytesOf(await getPreview(services, await wanted(key)))).length).toBeGreaterThan(0);
    await settled();
    expect(await isKept(account, id)).toBe(false);
  });

  it.each<[string, (object: R2ObjectBody) => R2ObjectBody]>([
    [
      "cannot be opened",
      () => {
        throw new Error("R2 is away");
      },
    ],
    ["breaks off", (object) => withBody(object, object.size - 1)],
    ["continues behind its end", (object) => withBody(object, object.size + 1)],
  ])("A preview of a file that %s is 503, and no failure is recorded", async (_, spoil) => {
    const { account, id, key } = await storePhoto();
    const get = async (asked: string) => {
      const object = await env.FILES.get(asked);
      return object && asked === key ? spoil(object) : object;
    };
    const { services } = makingWith(bucketWith({ get: get as R2Bucket["get"] }));
    await expect(getPreview(services, await wanted(key))).rejects.toMatchObject({ statusCode: 503 });
    expect(await isKept(account, id)).toBe(false);
  });

  it("A preview of a large progressive photo reads less than half of it", async () => {
    const bytes = largeProgressiveJpeg();
    const account = await openAccount();
    const { filename } = await uploadOne(account.uploadKey, { name: "large.jpg", bytes });
    let readBytes = 0;
    const get = async (asked: string) => {
      const object = await env.FILES.get(asked);
      if (object === null || asked !== filename) return object;
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          readBytes += piece.length;
          controller.enqueue(piece);
        },
      });
      return replaceBody(object, object.body.pipeThrough(counter));
    };
    const { services } = makingWith(bucketWith({ get: get as R2Bucket["get"] }));
    expect((await bytesOf(await getPreview(services, await wanted(filename)))).length).toBeGreaterThan(0);
    expect(readBytes / bytes.length).toBeLessThan(0.4);
  });
});

describe("Failed previews", () => {
  it("A failed preview is tried once more after a month", async () => {
    const account = await openAccount();
    const { filename } = await uploadOne(account.uploadKey, { name: "a.gif", bytes: gif() });
    let reads = 0;
    const get = (key: string, options?: R2GetOptions) => {
      if (key === filename) reads += 1;
      return env.FILES.get(key, options);
    };
    const { services, settled } = makingWith(bucketWith({ get: get as R2Bucket["get"] }));
    for (const [days, tried] of [
      [0, 1],
      [29, 1],
      [31, 2],
    ] as const) {
      const now = () => Date.now() + days * 86_400_000;
      expect(await getPreview({ ...services, now }, await wanted(filename, now()))).toBeUndefined();
      await settled();
      expect(reads).toBe(tried);
    }
  });
});

describe("Pictures too large for an isolate", () => {
  /** A WebP of 2,400 by 2,000 pixels by its head; the rest is not read. */
  const LARGE = Uint8Array.from(atob("UklGRhoAAABXRUJQVlA4TA0AAAAvX8nzAQcQERGIiP4HAA=="), (char) => char.charCodeAt(0));
  const WEBP = new Uint8Array(100).fill(7);

  async function storeLarge(): Promise<StoredPicture> {
    const account = await openAccount();
    const { _id, filename } = await uploadOne(account.uploadKey, { name: "a.webp", bytes: LARGE });
    return { account, id: _id, key: filename };
  }

  const image = (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    new Response(bytes, {
      headers: { "Content-Type": "image/webp", "Content-Length": String(bytes.length), ...headers },
    });

  it("A picture too large for an isolate is sent to the media processor, and its preview is kept", async () => {
    const { key } = await storeLarge();
    const sent: { path: string; body: Uint8Array }[] = [];
    const { services, settled } = makingWith(env.FILES, async (path, makeRequest) => {
      const { body } = await makeRequest();
      sent.push({ path, body: new Uint8Array(await new Response(body ?? null).arrayBuffer()) });
      return image(WEBP);
    });
    for (const _ of [1, 2]) {
      expect(await bytesOf(await getPreview(services, await wanted(key)))).toEqual(WEBP);
      await settled();
    }
    expect(sent.map(({ path }) => path)).toEqual(["/preview?type=image%2Fwebp&shortEdge=256&longEdge=1024&quality=70"]);
    expect(sent[0]?.body).toEqual(LARGE);
  });

  it("A picture too large for an isolate has no preview for now without a media processor", async () => {
    const { account, id, key } = await storeLarge();
    const { services, settled } = makingWith(env.FILES);
    expect(await getPreview(services, await wanted(key))).toBeUndefined();
    await settled();
    expect(await isKept(account, id)).toBe(false);
  });

  it.each([
    ["refuses it", () => Response.json({ reason: "no" }, { status: 422 })],
    ["finds it too large", () => Response.json({ reason: "no" }, { status: 413 })],
  ])("A picture too large for an isolate has no preview if the media processor %s", async (_, answer) => {
    const { account, id, key } = await storeLarge();
    const { services, settled } = makingWith(env.FILES, async () => answer());
    expect(await getPreview(services, await wanted(key))).toBeUndefined();
    await settled();
    expect((await env.FILES.head(previewKey(account.id, id)))?.size).toBe(0);
  });

  it.each<[string, () => Response]>([
    ["is busy", () => Response.json({ reason: "too many jobs are waiting" }, { status: 503 })],
    ["took too long", () => Response.json({ reason: "the preview took too long" }, { status: 504 })],
    ["has failed", () => new Response("oops", { status: 500 })],
    ["answers with a page", () => new Response("<html>", { headers: { "Content-Type": "text/html" } })],
    ["answers with too much", () => image(new Uint8Array(1024 * 1024 + 1))],
    ["breaks off", () => image(WEBP, { "Content-Length": "200" })],
  ])("A picture too large for an isolate is a retryable 503 if the media processor %s", async (_, answer) => {
    const { account, id, key } = await storeLarge();
    const { services, settled } = makingWith(env.FILES, async () => answer());
    await expect(getPreview(services, await wanted(key))).rejects.toMatchObject({ statusCode: 503 });
    await settled();
    expect(await isKept(account, id)).toBe(false);
  });
});
