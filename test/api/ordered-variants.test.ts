import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_ORDER_SECONDS } from "../../src/domain/allowance.ts";
import { variantsPrefix } from "../../src/domain/object-key.ts";
import { DEFAULT_VARIANT_QUALITY } from "../../src/domain/variants/grid.ts";
import { type Variant, variantName } from "../../src/domain/variants/variant.ts";
import type { VariantKeeper, VariantOrdered } from "../../src/domain/variants/variant-order.ts";
import { MIDDLE } from "../../src/domain/variants/variant-request.ts";
import { replayIntents } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount, uploadOne } from "../support/api/api.ts";
import { photoWithComment } from "../support/codecs/photo.ts";
import { takeDown } from "../support/operator/as-operator.ts";
import { reconcile } from "../support/reconcile/reconcile.ts";
import { made } from "../support/thumbnails/processor.ts";
import { deliverOne, message } from "../support/thumbnails/queue.ts";
import { storeVideo } from "../support/thumbnails/state.ts";

// The API Worker's part of variants that the media processor makes (VAR-11): jobs of a queue. The CDN Worker's part is in test/cdn.

const AVIF = new TextEncoder().encode("made by the media processor");
const SMALL: Variant = {
  width: 64,
  fit: "clip",
  crop: MIDDLE,
  quality: DEFAULT_VARIANT_QUALITY,
  format: "avif",
  flip: "",
  rotation: 0,
  blur: 0,
};

interface Photo {
  readonly account: TestAccount;
  readonly order: VariantOrdered;
}

async function storePhoto(): Promise<Photo> {
  const account = await openAccount();
  // A takedown blocks the same bytes for all accounts.
  const bytes = new Uint8Array([...photoWithComment(), ...crypto.getRandomValues(new Uint8Array(16))]);
  const { _id: uploadId, filename: fileKey } = await uploadOne(account.uploadKey, { name: "photo.jpg", bytes });
  const objectKey = variantsPrefix(account.id, uploadId) + variantName(SMALL);
  const place = { accountId: account.id, uploadId, fileKey, sourceKey: fileKey, mimeType: "image/jpeg", objectKey };
  return { account, order: { type: "variant.ordered", ...place, make: SMALL } };
}

/** The seconds that were settled with the account's allowance. */
const settled: number[] = [];

interface Steps {
  /** The media processor's answer. */
  readonly answer?: (request: Request) => Response | Promise<Response>;
  readonly beforeKeep?: () => Promise<unknown>;
  readonly afterKeep?: () => Promise<unknown>;
  readonly replaced?: Partial<Env>;
}

/** Lets the queue deliver an order once. */
function deliverOrder(order: VariantOrdered, steps: Steps = {}, attempts = 1): Promise<"acked" | "retried"> {
  const { answer = () => madeAvif(), beforeKeep, afterKeep, replaced } = steps;
  const fetch = async (url: URL, init: RequestInit) => {
    const request = new Request(url, init);
    const response = await answer(request);
    if (!request.bodyUsed) await request.arrayBuffer();
    return response;
  };
  const getByName = (uploadId: string): VariantKeeper => {
    const keeper: VariantKeeper = env.VARIANT_MAKER.getByName(uploadId);
    return {
      decline: (declined) => keeper.decline(declined),
      settle: async (...args) => {
        settled.push(args[1]);
        await keeper.settle(...args);
      },
      keep: async (...args) => {
        await beforeKeep?.();
        const outcome = await keeper.keep(...args);
        await afterKeep?.();
        return outcome;
      },
    };
  };
  const bindings = {
    MEDIA_PROCESSOR: { getByName: () => ({ fetch }) },
    VARIANT_MAKER: { getByName },
    ...replaced,
  } as unknown as Partial<Env>;
  return deliverOne(message(order, attempts), { processor: () => made(), replaced: bindings });
}

function madeAvif(bytes = AVIF, more: Record<string, string> = {}): Response {
  const headers = { "Content-Type": "image/avif", "Content-Length": String(bytes.length), ...more };
  return new Response(bytes, { headers });
}

async function stored(accountId: string, uploadId: string): Promise<string[]> {
  const prefix = variantsPrefix(accountId, uploadId);
  const { objects } = await env.FILES.list({ prefix });
  return objects.map(({ key }) => key.slice(prefix.length));
}

const storedOf = ({ accountId, uploadId }: VariantOrdered) => stored(accountId, uploadId);

const die = () => Promise.reject(new Error("The consumer died"));

describe("Ordered variants", () => {
  it("Each try tells the account's allowance its time, the first without the time that the order took in advance", async () => {
    const { order } = await storePhoto();
    settled.length = 0;
    expect(await deliverOrder(order, { answer: () => new Response(null, { status: 503 }) })).toBe("retried");
    expect(await deliverOrder(order, {}, 2)).toBe("acked");
    const [first = 0, second = -1] = settled;
    expect(settled).toHaveLength(2);
    expect(first).toBeGreaterThanOrEqual(-MAX_ORDER_SECONDS);
    expect(first).toBeLessThan(10 - MAX_ORDER_SECONDS);
    expect(second).toBeGreaterThanOrEqual(0);
    expect(second).toBeLessThan(10);
  });

  it("An ordered variant is made of the file, stored, and served", async () => {
    const { order } = await storePhoto();
    const asked: { url: URL; bytes: number }[] = [];
    const answer = async (request: Request) => {
      asked.push({ url: new URL(request.url), bytes: (await request.arrayBuffer()).byteLength });
      return madeAvif();
    };
    expect(await deliverOrder(order, { answer })).toBe("acked");
    const [{ url, bytes } = { url: undefined, bytes: 0 }] = asked;
    expect(url?.pathname).toBe("/variant");
    expect(url?.searchParams.get("type")).toBe("image/jpeg");
    expect(JSON.parse(url?.searchParams.get("variant") ?? "")).toEqual(SMALL);
    expect(bytes).toBe((await env.FILES.head(order.fileKey))?.size);
    const served = await call(`/${order.fileKey}?w=64&fm=avif`);
    expect([served.status, served.headers.get("Content-Type")]).toEqual([200, "image/avif"]);
    expect(await served.bytes()).toEqual(AVIF);
  });

  it.each([
    ["an animation", { "Media-Frame": "first" }, "first-frame"],
    ["a still picture", {}, null],
  ])("A variant of %s is marked as its first frame, or not", async (_, headers, mark) => {
    const { order } = await storePhoto();
    await deliverOrder(order, { answer: () => madeAvif(AVIF, headers) });
    const served = await call(`/${order.fileKey}?w=64&fm=avif`, { method: "HEAD" });
    expect([served.status, served.headers.get("X-Variant")]).toEqual([200, mark]);
  });

  it("An order that is delivered twice makes one variant", async () => {
    const { order } = await storePhoto();
    let times = 0;
    const answer = () => {
      times++;
      return madeAvif();
    };
    for (let i = 0; i < 2; i++) expect(await deliverOrder(order, { answer })).toBe("acked");
    expect(times).toBe(1);
    expect(await storedOf(order)).toEqual(["w64-q75.avif"]);
  });

  it("A frame's order gets the video's address and the time, and is stored as a poster", async () => {
    const { id } = await openAccount();
    const { uploadId, objectKey: fileKey } = await storeVideo(id);
    const objectKey = `${variantsPrefix(id, uploadId)}poster1500.jpg`;
    const place = { accountId: id, uploadId, fileKey, sourceKey: fileKey, mimeType: "video/mp4", objectKey };
    const tasks: unknown[] = [];
    const answer = async (request: Request) => {
      tasks.push(await request.json());
      return made();
    };
    const order: VariantOrdered = { type: "variant.ordered", ...place, make: { posterMs: 1500 } };
    expect(await deliverOrder(order, { answer })).toBe("acked");
    expect(tasks).toMatchObject([{ source: expect.stringContaining(fileKey), type: "video/mp4", atSeconds: 1.5 }]);
    expect(await storedOf(order)).toEqual(["poster1500.jpg"]);
  });

  it.each([
    ["declines", { answer: () => Response.json({ reason: "damaged" }, { status: 422 }) }],
    ["takes too long", { answer: () => Response.json({ reason: "the variant took too long" }, { status: 504 }) }],
    ["answers more than 16 MiB", { answer: () => madeAvif(new Uint8Array(16 * 1024 * 1024 + 1)) }],
    ["does not exist", { replaced: { MEDIA_PROCESSOR_URL: "none" } as unknown as Partial<Env> }],
  ])("If the media processor %s, the order is done", async (_, steps) => {
    const { order } = await storePhoto();
    expect(await deliverOrder(order, steps)).toBe("acked");
    expect(await storedOf(order)).toEqual([]);
  });

  it.each([
    ["is busy", () => new Response(null, { status: 503 })],
    ["is dead behind a proxy", () => new Response("Gateway Timeout", { status: 504 })],
    ["cannot be reached", () => Promise.reject(new Error("Network connection lost"))],
    ["answers another type", () => new Response(AVIF, { headers: { "Content-Type": "text/html" } })],
  ])("If the media processor %s, the order is retried, and given up at the fifth attempt", async (_, answer) => {
    const { order } = await storePhoto();
    expect(await deliverOrder(order, { answer })).toBe("retried");
    expect(await deliverOrder(order, { answer }, 5)).toBe("acked");
    expect(await storedOf(order)).toEqual([]);
  });
});

/** The moments at which a consumer may die, or a file may be deleted. */
const MOMENTS: [string, (happening: () => Promise<unknown>) => Steps][] = [
  [
    "while the media processor works",
    (happening) => ({
      answer: async () => {
        await happening();
        return madeAvif();
      },
    }),
  ],
  ["before the variant is stored", (beforeKeep) => ({ beforeKeep })],
  ["after the variant is stored", (afterKeep) => ({ afterKeep })],
];

const REMOVALS: [string, (photo: Photo) => Promise<unknown>][] = [
  [
    "deleted",
    async ({ account, order }) => {
      const answer = await call(`/images/${order.uploadId}`, { method: "DELETE", headers: bearer(account.token) });
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    },
  ],
  ["taken down", ({ order }) => takeDown({ id: order.uploadId })],
  [
    "erased with its account",
    async ({ account }) => {
      const { status } = await callJson("DELETE", "/account", account.token, { password: account.password });
      expect(status).toBeOneOf([200, 202]);
      for (let pass = 0; pass < 3; pass++) await replayIntents(account.id);
    },
  ],
];

describe("Interrupted orders", () => {
  it.each(MOMENTS)(
    "If the consumer dies %s, the next delivery ends the order, and one variant is stored",
    async (_, at) => {
      const { account, order } = await storePhoto();
      expect(await deliverOrder(order, at(die))).toBe("retried");
      expect(await deliverOrder(order)).toBe("acked");
      expect(await storedOf(order)).toEqual(["w64-q75.avif"]);
      expect((await reconcile(account.id, false)).findings).toEqual([]);
    },
  );

  it.each(
    MOMENTS.flatMap(([moment, at]) => REMOVALS.map(([removed, remove]) => [removed, moment, at, remove] as const)),
  )("A file that is %s %s leaves no variant", async (_removed, _moment, at, remove) => {
    const photo = await storePhoto();
    expect(
      await deliverOrder(
        photo.order,
        at(() => remove(photo)),
      ),
    ).toBe("acked");
    expect(await storedOf(photo.order)).toEqual([]);
  });

  it.each(REMOVALS)(
    "A file that is %s before its order is delivered leaves no variant, not even one that a dead maker stored",
    async (_, remove) => {
      const photo = await storePhoto();
      await remove(photo);
      await env.FILES.put(photo.order.objectKey, "left by a maker that died");
      expect(await deliverOrder(photo.order)).toBe("acked");
      expect(await storedOf(photo.order)).toEqual([]);
    },
  );

  it("An order that is given up leaves no variant of a deleted file, also if the store failed after it was written", async () => {
    const { account, order } = await storePhoto();
    const beforeKeep = async () => {
      await call(`/images/${order.uploadId}`, { method: "DELETE", headers: bearer(account.token) });
      await env.FILES.put(order.objectKey, AVIF);
      throw new Error("R2 is away");
    };
    expect(await deliverOrder(order, { beforeKeep }, 5)).toBe("acked");
    expect(await storedOf(order)).toEqual([]);
  });

  it("A variant of a maker that died is known to `reconcile`, if the order is never delivered again", async () => {
    const { account, order } = await storePhoto();
    await env.FILES.put(order.objectKey, "left by a maker that died");
    await call(`/images/${order.uploadId}`, { method: "DELETE", headers: bearer(account.token) });
    await env.FILES.put(order.objectKey, "left by a maker that died");
    const { findings } = await reconcile(account.id, true);
    expect(findings).toMatchObject([{ kind: "variants-left", subject: order.uploadId, repaired: true }]);
    expect(await storedOf(order)).toEqual([]);
  });
});
