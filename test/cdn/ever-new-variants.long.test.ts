import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { CdnEnv } from "../../src/cdn/env.ts";
import { serveFile } from "../../src/cdn/serve-file.ts";
import type { VariantBudget } from "../../src/cdn/variants/variant-budget.ts";
import { VARIANT_MICRODOLLARS } from "../../src/domain/allowance.ts";
import { fileKey, objectUrl } from "../../src/domain/object-key.ts";
import { makePng } from "../support/media/make-png.ts";
import { bytesOf, cdnEnv, ORIGIN } from "./harness.ts";

// One client asks for ten thousand different variants of an account's files (VAR-14). The limits of a minute are left out.

const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8xa0001";
const FILES = 10;
const REQUESTS = 10_000;
const AT_ONCE = 50;
/** The rest of the account's allowance is for this many variants. */
const AFFORDABLE = 40;

it("Ten thousand different variants of one client are answered, and only the allowance's number is made and stored", async () => {
  const source = await makePng(300, 200);
  let [calls, writes] = [0, 0];
  const CODECS = {
    variant: (...args: Parameters<CdnEnv["CODECS"]["variant"]>) => {
      calls++;
      return cdnEnv.CODECS.variant(...args);
    },
  } as unknown as CdnEnv["CODECS"];
  const bucket = new Proxy(cdnEnv.FILES, {
    get: (files, name) => {
      if (name === "put") writes++;
      return Reflect.get(files, name).bind(files);
    },
  });
  const urls = await Promise.all(
    Array.from({ length: FILES }, async (_, i) => {
      const uploadId = `01hzy3v7k9q4r5s6t7v8xb000${i}`;
      const objectKey = fileKey(ACCOUNT_ID, uploadId, "picture.png");
      await cdnEnv.FILES.put(objectKey, source, { httpMetadata: { contentType: "image/png" } });
      await runInDurableObject(cdnEnv.VARIANT_MAKER.getByName(uploadId), (instance) => {
        Object.assign(instance, { env: { ...cdnEnv, CODECS, FILES: bucket } });
      });
      return objectUrl(ORIGIN, objectKey);
    }),
  );
  await runInDurableObject(cdnEnv.VARIANT_BUDGET.getByName(ACCOUNT_ID), (_: VariantBudget, { storage }) => {
    storage.kv.put("allowance", {
      left: AFFORDABLE * VARIANT_MICRODOLLARS,
      tier: "free",
      at: Date.now(),
      awakeUntil: 0,
    });
  });
  const began = Date.now();
  const none = { limit: async () => ({ success: true }) };
  const bindings = { ...cdnEnv, VARIANTS_BY_ADDRESS: none, VARIANTS_BY_FREE: none };
  const statuses = new Set<number>();
  for (let from = 0; from < REQUESTS; from += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, async (_, i) => {
      const at = from + i;
      const url = `${urls[at % FILES]}?rect=${at % 200},${Math.floor(at / 200)},40,40`;
      const response = await serveFile(new Request(url), bindings, () => undefined);
      statuses.add(response.status);
      await bytesOf(response);
    });
    await Promise.all(batch);
  }
  for (const status of statuses) expect(status).toBeOneOf([200, 429]);
  // The allowance fills up by less than a microdollar a second.
  const most = AFFORDABLE + 1 + (Date.now() - began) / 1000 / VARIANT_MICRODOLLARS;
  expect(calls).toBeGreaterThanOrEqual(AFFORDABLE);
  expect(calls).toBeLessThanOrEqual(most);
  expect(writes).toBeLessThanOrEqual(calls);
}, 300_000);
