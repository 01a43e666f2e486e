import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { MakerEnv, VariantMaker } from "../../src/cdn/variants/variant-maker.ts";
import { accountVariantsPrefix, variantsPrefix } from "../../src/domain/object-key.ts";
import { DEFAULT_VARIANT_QUALITY } from "../../src/domain/variants/grid.ts";
import { type Variant, variantName } from "../../src/domain/variants/variant.ts";
import { MIDDLE } from "../../src/domain/variants/variant-request.ts";
import { replayIntents } from "../support/api/account-state.ts";
import { callJson, openAccount, uploadOne } from "../support/api/api.ts";
import { newPhoto, REMOVALS, type Removal } from "../support/library/removals.ts";
import { reconcile } from "../support/reconcile/reconcile.ts";

// A file is removed, by the API, while the CDN Worker's maker makes a variant of it (VAR-6). The maker is the test's own, so that its store
// and its codec can wait.

const SMALL: Variant = {
  width: 16,
  fit: "clip",
  crop: MIDDLE,
  quality: DEFAULT_VARIANT_QUALITY,
  format: "jpg",
  flip: "",
  rotation: 0,
  blur: 0,
};

const ALL_REMOVALS: readonly Removal[] = [
  ...REMOVALS,
  [
    "erased with its account",
    async ({ id, token, password }) => {
      const { status } = await callJson("DELETE", "/account", token, { password });
      expect(status).toBeOneOf([200, 202]);
      for (let pass = 0; pass < 3; pass++) await replayIntents(id);
    },
  ],
];

const SOURCE_TYPE = "image/jpeg" as const;

/** The steps of the maker at which the file is removed. */
const MOMENTS = ["file read", "codec done", "variant stored", "variant recorded"] as const;
type Moment = (typeof MOMENTS)[number];

/** The maker's bindings. At the moment, `happen` runs once. */
function bindingsAt(moment: Moment, objectKey: string, happen: () => Promise<unknown>): MakerEnv {
  let hasHappened = false;
  const at = async (reached: Moment) => {
    if (reached !== moment || hasHappened) return;
    hasHappened = true;
    await happen();
  };
  const { FILES, CODECS, VARIANT_BUDGET } = env;
  const files: Partial<R2Bucket> = {
    put: async (key: string, ...rest: [never]) => {
      await at("codec done");
      const stored = await FILES.put(key, ...rest);
      if (key === objectKey) await at("variant stored");
      return stored;
    },
    list: async (options?: R2ListOptions) => {
      await at("file read");
      return FILES.list(options);
    },
  } as Partial<R2Bucket>;
  return {
    FILES: new Proxy(FILES, {
      get: (bucket, name) => Reflect.get(files, name) ?? Reflect.get(bucket, name).bind(bucket),
    }),
    CODECS,
    VARIANT_BUDGET: {
      getByName: (name: string) => {
        const budget = VARIANT_BUDGET.getByName(name);
        return {
          take: (...args: Parameters<typeof budget.take>) => budget.take(...args),
          forget: (...args: Parameters<typeof budget.forget>) => budget.forget(...args),
          note: async (...args: Parameters<typeof budget.note>) => {
            await budget.note(...args);
            await at("variant recorded");
          },
        };
      },
    } as unknown as MakerEnv["VARIANT_BUDGET"],
    UPLOADS: env.UPLOADS as unknown as MakerEnv["UPLOADS"],
    ORDERS_BY_ADDRESS: { limit: async () => ({ success: true }) },
    MEDIA_PROCESSOR: "none",
  };
}

/** These bindings, until `hasDied`: then every call fails, as if the maker were gone. */
function mortal<Bindings extends object>(bindings: Bindings, hasDied: () => boolean): Bindings {
  return new Proxy(bindings, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: never[]) => {
        if (hasDied()) throw new Error("The maker has died");
        return value.apply(target, args);
      };
    },
  });
}

describe("A maker that dies", () => {
  it.each<[Moment, number]>([
    ["file read", 0],
    ["codec done", 0],
    ["variant stored", 1],
    ["variant recorded", 1],
  ])(
    "A maker that dies after the step (%s) leaves nothing that `reconcile` does not correct",
    async (moment, count) => {
      const account = await openAccount();
      const { _id: uploadId, filename } = await uploadOne(account.uploadKey, { name: "photo.jpg", bytes: newPhoto() });
      const objectKey = variantsPrefix(account.id, uploadId) + variantName(SMALL);
      let hasDied = false;
      const bindings = bindingsAt(moment, objectKey, async () => {
        hasDied = true;
        throw new Error("The maker has died");
      });
      const { OWN_MAKER } = env as unknown as { OWN_MAKER: DurableObjectNamespace<VariantMaker> };
      const maker = OWN_MAKER.getByName(uploadId);
      const source = { accountId: account.id, uploadId, fileKey: filename, sourceType: SOURCE_TYPE, objectKey };
      const outcome = await runInDurableObject(maker, (instance) => {
        Object.assign(instance, { env: { ...bindings, FILES: mortal(bindings.FILES, () => hasDied) } });
        return instance.make(source, SMALL, { address: "", tier: "free" }).catch(String);
      });
      expect(outcome).toBe("Error: The maker has died");
      expect(hasDied).toBe(true);
      const { findings } = await reconcile(account.id, true);
      expect(findings.map(({ kind }) => kind)).toEqual(moment === "variant stored" ? ["variants-miscounted"] : []);
      expect((await reconcile(account.id, false)).findings).toEqual([]);
      const { objects } = await env.FILES.list({ prefix: accountVariantsPrefix(account.id) });
      const bytes = objects.reduce((sum, { size }) => sum + size, 0);
      expect(objects).toHaveLength(count);
      expect(await env.VARIANT_BUDGET.getByName(account.id).read()).toEqual({ count, bytes });
    },
  );
});

describe("A file that is removed while the maker makes its variant", () => {
  it.each(MOMENTS.flatMap((moment) => ALL_REMOVALS.map(([removed, remove]) => [removed, moment, remove] as const)))(
    "A file that is %s after the step (%s) leaves no variant and no figure",
    async (_, moment, remove) => {
      const account = await openAccount();
      const { _id: uploadId, filename } = await uploadOne(account.uploadKey, { name: "photo.jpg", bytes: newPhoto() });
      const objectKey = variantsPrefix(account.id, uploadId) + variantName(SMALL);
      let happened = 0;
      const happen = async () => {
        happened++;
        await remove(account, uploadId);
      };
      const { OWN_MAKER } = env as unknown as { OWN_MAKER: DurableObjectNamespace<VariantMaker> };
      const maker = OWN_MAKER.getByName(uploadId);
      await runInDurableObject(maker, (instance) => {
        Object.assign(instance, { env: bindingsAt(moment, objectKey, happen) });
      });
      const source = { accountId: account.id, uploadId, fileKey: filename, sourceType: SOURCE_TYPE, objectKey };
      const { outcome } = await maker.make(source, SMALL, { address: "", tier: "free" });
      expect([happened, outcome]).toEqual([1, "gone"]);
      expect((await env.FILES.list({ prefix: accountVariantsPrefix(account.id) })).objects).toEqual([]);
      expect(await env.VARIANT_BUDGET.getByName(account.id).read()).toEqual({ count: 0, bytes: 0 });
      expect((await reconcile(account.id, false)).findings).toEqual([]);
    },
  );
});
