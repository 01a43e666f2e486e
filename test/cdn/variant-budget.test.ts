import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { CdnEnv } from "../../src/cdn/env.ts";
import { serveFile } from "../../src/cdn/serve-file.ts";
import type { VariantBudget } from "../../src/cdn/variants/variant-budget.ts";
import {
  ALLOWANCE_MICRODOLLARS,
  AWAKE_SECOND_MICRODOLLARS,
  AWAKE_SECONDS,
  MAX_ORDER_SECONDS,
  PROCESSOR_SECOND_MICRODOLLARS,
  REFILL_MS,
  VARIANT_MICRODOLLARS,
} from "../../src/domain/allowance.ts";
import { fileKey, objectUrl, variantsPrefix } from "../../src/domain/object-key.ts";
import { TIER_NAMES, type TierName } from "../../src/domain/tiers.ts";
import { makePng } from "../support/media/make-png.ts";
import { bytesOf, cdnEnv, ORIGIN, observe, setRules } from "./harness.ts";

// The allowance of each account for new variants (VAR-14).

const SOURCE = await makePng(300, 200);
const WHOLE_ORDER = MAX_ORDER_SECONDS * PROCESSOR_SECOND_MICRODOLLARS + AWAKE_SECONDS * AWAKE_SECOND_MICRODOLLARS;

const limitOf = (tier: TierName) => `VARIANTS_BY_${tier.toUpperCase()}`;

let accountId: string;
let uploadId: string;
let url: string;
let orders: unknown[];
let accounts = 0;

beforeEach(async () => {
  const number = String(accounts++).padStart(4, "0");
  accountId = `01hzy3v7k9q4r5s6t7v8x9${number}`;
  uploadId = `01hzy3v7k9q4r5s6t7v8y9${number}`;
  const objectKey = fileKey(accountId, uploadId, "picture.png");
  await cdnEnv.FILES.put(objectKey, SOURCE, { httpMetadata: { contentType: "image/png" } });
  url = objectUrl(ORIGIN, objectKey);
  orders = [];
  await replaceBindings({});
});

/** Replaces bindings of the upload's maker. Orders go to the test. */
async function replaceBindings(replaced: Partial<CdnEnv>): Promise<void> {
  const UPLOADS = { send: async (order: unknown) => orders.push(order) };
  await runInDurableObject(cdnEnv.VARIANT_MAKER.getByName(uploadId), (instance) => {
    Object.assign(instance, { env: { ...cdnEnv, UPLOADS, ...replaced } });
  });
}

const budget = () => cdnEnv.VARIANT_BUDGET.getByName(accountId);

/** Leaves this much of the account's allowance. */
async function leave(left: number, tier = "free", at = Date.now()): Promise<void> {
  await runInDurableObject(budget(), (_instance: VariantBudget, { storage }) => {
    storage.kv.put("allowance", { left, tier, at, awakeUntil: 0 });
  });
}

async function readLeft(): Promise<number | undefined> {
  return runInDurableObject(
    budget(),
    (_instance: VariantBudget, { storage }) => storage.kv.get<{ left: number }>("allowance")?.left,
  );
}

async function get(query: string, address?: string, replaced: Partial<CdnEnv> = {}) {
  const headers = address === undefined ? undefined : { "CF-Connecting-IP": address };
  const request = new Request(`${url}?${query}`, headers && { headers });
  const response = await serveFile(request, { ...cdnEnv, ...replaced }, () => undefined);
  const bytes = await bytesOf(response);
  const { status } = response;
  return { status, type: response.headers.get("Content-Type"), variant: response.headers.get("X-Variant"), bytes };
}

async function variantsStored(): Promise<number> {
  return (await cdnEnv.FILES.list({ prefix: variantsPrefix(accountId, uploadId) })).objects.length;
}

describe("The allowance for new variants", () => {
  it("A new variant takes its price once, and a stored variant takes nothing", async () => {
    for (let i = 0; i < 3; i++) expect(await get("w=64")).toMatchObject({ status: 200, variant: null });
    expect(await readLeft()).toBe(ALLOWANCE_MICRODOLLARS.free - VARIANT_MICRODOLLARS);
  });

  it("An account without allowance is served the file, marked, and stored variants as before", async () => {
    await get("w=64");
    await leave(-1);
    const substitute = await get("w=128");
    expect(substitute).toMatchObject({ status: 200, variant: "substitute" });
    expect(substitute.bytes.length).toBe(SOURCE.length);
    expect(await get("w=64")).toMatchObject({ status: 200, variant: null });
    expect(await get("w=32")).toMatchObject({ status: 200, variant: "substitute" });
    expect(await variantsStored()).toBe(1);
  });

  it("An empty allowance fills up with time", async () => {
    await leave(-1, "free", Date.now() - REFILL_MS / 100);
    expect(await get("w=64")).toMatchObject({ status: 200, variant: null });
    expect(await readLeft()).toBeCloseTo(ALLOWANCE_MICRODOLLARS.free / 100 - 1 - VARIANT_MICRODOLLARS, -1);
  });

  it("If the budget cannot be asked, the variant is made", async () => {
    const fails = { take: () => Promise.reject(new Error("The budget is away")) };
    const VARIANT_BUDGET = { getByName: () => fails } as unknown as CdnEnv["VARIANT_BUDGET"];
    await replaceBindings({ VARIANT_BUDGET });
    expect(await get("w=64")).toMatchObject({ status: 200, variant: null });
  });

  it("A tier of the account's rules has its own allowance", async () => {
    expect(await budget().take("pro")).toBe(true);
    expect(await readLeft()).toBe(ALLOWANCE_MICRODOLLARS.pro - VARIANT_MICRODOLLARS);
  });
});

/** A counter of the platform that admits this many requests of each key. */
function counter(most: number): RateLimit {
  const counts = new Map<string, number>();
  return {
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= most };
    },
  };
}

describe("The limits of a minute for new variants", () => {
  /** The codec is called this often. */
  let made: number;

  beforeEach(async () => {
    made = 0;
    const variant = async () => {
      made++;
      return { outcome: "busy", [Symbol.dispose]: () => undefined };
    };
    await replaceBindings({ CODECS: { variant } as unknown as CdnEnv["CODECS"] });
  });

  /** Limits of an address and of accounts. */
  function counters(address: number, account: number) {
    const byTier = (most: number) => Object.fromEntries(TIER_NAMES.map((tier) => [limitOf(tier), counter(most)]));
    return { VARIANTS_BY_ADDRESS: counter(address), ...byTier(account) };
  }

  it.each(["VARIANTS_BY_ADDRESS", "VARIANTS_BY_FREE"] as const)(
    "A client that asks for ever new variants has few made (%s), and each answer is the file",
    async (limit) => {
      const replaced = { ...counters(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY), [limit]: counter(5) };
      for (let i = 0; i < 60; i++) {
        const answer = await get(`rect=${i},0,50,50`, "192.0.2.1", replaced);
        expect(answer).toMatchObject({ status: 200, variant: "substitute" });
      }
      expect(made).toBe(5);
      await get("w=64", "192.0.2.2", replaced);
      expect(made).toBe(limit === "VARIANTS_BY_ADDRESS" ? 6 : 5);
    },
  );

  it.each(TIER_NAMES)(
    "An account of the tier %s has the limit of its tier, beside that of each address",
    async (tier) => {
      await setRules(accountId, tier === "free" ? {} : { tier });
      // Each zone has its own cache, so that no test sees the rules of another.
      const zone = url.replace(ORIGIN, `https://${crypto.randomUUID()}.example.com`);
      const ask = (query: string, address: string, replaced: Partial<CdnEnv>) =>
        observe(`${zone}?${query}`, { headers: { "CF-Connecting-IP": address } }, replaced);
      const own = limitOf(tier);
      const ofTier = { ...counters(Number.POSITIVE_INFINITY, 0), [own]: counter(3) };
      for (let i = 0; i < 6; i++) await ask(`rect=${i},0,50,50`, `192.0.2.${i}`, ofTier);
      expect(made).toBe(3);
      const ofAddress = { ...counters(1, 0), [own]: counter(3) };
      for (let i = 0; i < 3; i++) await ask(`rect=${10 + i},0,50,50`, "192.0.2.9", ofAddress);
      expect(made).toBe(4);
    },
  );

  it("Requests that the limit of their address refuses leave the account's minute to other visitors", async () => {
    const replaced = counters(2, 4);
    for (let i = 0; i < 20; i++) await get(`rect=${i},0,50,50`, "192.0.2.1", replaced);
    expect(made).toBe(2);
    await get("w=64", "192.0.2.2", replaced);
    await get("w=128", "192.0.2.2", replaced);
    expect(made).toBe(4);
  });

  it("A stored variant is served beyond the limits", async () => {
    await cdnEnv.FILES.put(`${variantsPrefix(accountId, uploadId)}w64.png`, SOURCE);
    const none = counters(0, 0);
    expect(await get("w=64", "192.0.2.1", none)).toMatchObject({ status: 200, variant: null });
    expect(await get("w=128", "192.0.2.1", none)).toMatchObject({ status: 200, variant: "substitute" });
    expect(made).toBe(0);
  });
});

describe("The allowance for orders", () => {
  it("An order takes the most that it may cost, and gets back what it did not need", async () => {
    expect(await get("w=64&fm=avif")).toMatchObject({ status: 200, type: "image/webp" });
    expect(orders).toHaveLength(1);
    // The allowance fills up by less than a millionth a second. A variant takes 16.
    const twoVariants = 2 * VARIANT_MICRODOLLARS;
    expect(await readLeft()).toBeCloseTo(ALLOWANCE_MICRODOLLARS.free - WHOLE_ORDER - twoVariants, -1);
    await budget().settle(2 - MAX_ORDER_SECONDS);
    const spent = AWAKE_SECONDS * AWAKE_SECOND_MICRODOLLARS + 2 * PROCESSOR_SECOND_MICRODOLLARS;
    expect(await readLeft()).toBeCloseTo(ALLOWANCE_MICRODOLLARS.free - spent - twoVariants, -1);
  });

  it("Orders at the same time keep the media processor awake once", async () => {
    for (let i = 0; i < 10; i++) await budget().takeOrder("free");
    const work = 10 * MAX_ORDER_SECONDS * PROCESSOR_SECOND_MICRODOLLARS;
    const taken = ALLOWANCE_MICRODOLLARS.free - Number(await readLeft());
    expect(taken).toBeGreaterThan(work + AWAKE_SECONDS * AWAKE_SECOND_MICRODOLLARS - 1);
    expect(taken).toBeLessThan(work + (AWAKE_SECONDS + 10) * AWAKE_SECOND_MICRODOLLARS);
  });

  it("An account without allowance orders nothing, and a later request orders again", async () => {
    await get("w=64&fm=webp");
    await leave(-1);
    expect(await get("w=64&fm=avif")).toMatchObject({ status: 200, type: "image/webp", variant: "substitute" });
    expect(orders).toHaveLength(0);
    await leave(WHOLE_ORDER);
    await get("w=64&fm=avif");
    expect(orders).toHaveLength(1);
  });

  it("An address that has used up its orders gets WebP, and another address orders", async () => {
    const ORDERS_BY_ADDRESS = { limit: async ({ key }: { key: string }) => ({ success: key !== "192.0.2.1" }) };
    await replaceBindings({ ORDERS_BY_ADDRESS });
    expect(await get("w=64&fm=avif", "192.0.2.1")).toMatchObject({ status: 200, type: "image/webp" });
    expect(orders).toHaveLength(0);
    await get("w=64&fm=avif", "192.0.2.2");
    expect(orders).toHaveLength(1);
  });
});

describe("The record of stored variants", () => {
  const NONE = { count: 0, bytes: 0 };

  /** Replaces a method of R2 for the upload's maker. */
  async function replaceR2(method: "put" | "head", replace: (bucket: R2Bucket) => (...args: never[]) => unknown) {
    const FILES = new Proxy(cdnEnv.FILES, {
      get: (bucket, name) => (name === method ? replace(bucket) : Reflect.get(bucket, name).bind(bucket)),
    });
    await replaceBindings({ FILES });
  }

  it("The record has each stored variant once, with its bytes, also after the object was evicted", async () => {
    const { bytes } = await get("w=64");
    await get("w=64");
    const second = await get("w=128");
    const made = { count: 2, bytes: bytes.length + second.bytes.length };
    expect(await budget().read()).toEqual(made);
    await evictDurableObject(budget());
    expect(await budget().read()).toEqual(made);
    await get("w=16");
    expect((await budget().read()).count).toBe(3);
  });

  it("A variant that the store did not take is not counted", async () => {
    await replaceR2("put", () => () => Promise.reject(new Error("R2 is away")));
    expect(await get("w=64")).toMatchObject({ status: 200, variant: "substitute" });
    expect(await budget().read()).toEqual(NONE);
    await replaceBindings({});
    await get("w=64");
    expect((await budget().read()).count).toBe(1);
  });

  it("A variant whose file could not be looked for is counted, because it is stored", async () => {
    let heads = 0;
    await replaceR2("head", (bucket) => (key: string) => {
      heads++;
      return heads === 1 ? Promise.reject(new Error("R2 is away")) : bucket.head(key);
    });
    expect(await get("w=64")).toMatchObject({ status: 200, variant: "substitute" });
    expect([(await budget().read()).count, await variantsStored()]).toEqual([1, 1]);
  });

  it("A variant whose file was deleted while it was made is not counted", async () => {
    await replaceR2("put", (bucket) => async (...args: Parameters<R2Bucket["put"]>) => {
      await cdnEnv.FILES.delete(fileKey(accountId, uploadId, "picture.png"));
      return bucket.put(...args);
    });
    await get("w=64");
    expect([await budget().read(), await variantsStored()]).toEqual([NONE, 0]);
  });

  it("If the record cannot be written, the variant is served", async () => {
    const fails = { take: async () => true, note: () => Promise.reject(new Error("The budget is away")) };
    await replaceBindings({ VARIANT_BUDGET: { getByName: () => fails } as unknown as CdnEnv["VARIANT_BUDGET"] });
    expect(await get("w=64")).toMatchObject({ status: 200, variant: null });
    expect(await budget().read()).toEqual(NONE);
  });

  it("Every change may be repeated, and the sum is that of the rows", async () => {
    for (let time = 0; time < 2; time++) {
      await budget().read();
      await budget().note("a", "w16.jpg", 10);
      await budget().note("a", "w32.jpg", 20);
      await budget().note("b", "w16.jpg", 5);
      expect(await budget().read()).toEqual({ count: 3, bytes: 35 });
      await budget().forget("a", ["w16.jpg", "w999.jpg"]);
      await budget().forget("a", ["w16.jpg"]);
      expect(await budget().recount("b", {}, { "w16.jpg": 7 })).toBe(false);
      expect(await budget().recount("b", { "w16.jpg": 5 }, { "w16.jpg": 6 })).toBe(true);
      expect(await budget().read()).toEqual({ count: 2, bytes: 26 });
      expect(await budget().list("a", "b")).toEqual([{ version: "a", count: 1, bytes: 20 }]);
      await evictDurableObject(budget());
      expect(await budget().read()).toEqual({ count: 2, bytes: 26 });
    }
    expect(await budget().list("", null)).toHaveLength(2);
    await budget().erase();
    expect([await budget().read(), await budget().list("", null)]).toEqual([NONE, []]);
  });
});
