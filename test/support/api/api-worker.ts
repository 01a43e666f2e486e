import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";

/** All accounts of the tests are opened from one address. Only tests of counting and logging need counts; the others do not wait for them. */
const LIMITS = { ADDRESS_REGISTRATIONS_PER_HOUR: "100000", METRICS_FLUSH_SECONDS: "0", REQUEST_LOG: "errors" };

/** All keys of the tests come from one address, too. `FEW_KEY_LOOKUPS` has the limit of wrangler.toml. */
const COUNTERS = {
  KEY_LOOKUPS: { namespace_id: "1", simple: { limit: 1_000_000, period: 10 as const } },
  PREVIEW_READS: { namespace_id: "5", simple: { limit: 1_000_000, period: 60 as const } },
  FEW_KEY_LOOKUPS: { namespace_id: "2", simple: { limit: 100, period: 10 as const } },
};

const MANY = { limit: 1_000_000, period: 60 as const };
const VIEW_COUNTERS = {
  VIEWS_BY_ADDRESS: { namespace_id: "3", simple: MANY },
  RANGES_BY_ADDRESS: { namespace_id: "4", simple: MANY },
  SIGNED_READS_BY_FILE: { namespace_id: "6", simple: MANY },
  VARIANTS_BY_ADDRESS: { namespace_id: "8", simple: MANY },
  ORDERS_BY_ADDRESS: { namespace_id: "9", simple: MANY },
  VARIANTS_BY_FREE: { namespace_id: "7", simple: MANY },
  VARIANTS_BY_STARTER: { namespace_id: "10", simple: MANY },
  VARIANTS_BY_PRO: { namespace_id: "11", simple: MANY },
  VARIANTS_BY_BUSINESS: { namespace_id: "12", simple: MANY },
};

/** Wrangler warns if the environment lacks a secret. */
export const SECRETS = {
  JWT_SECRET: "test-jwt-secret-0123456789abcdef0123456789abcdef",
  ADMIN_TOKEN: "test-admin-token-0123456789abcdef",
  PREVIEW_SECRET: "test-preview-secret-0123456789abcdef",
  SIGN_IN_SECRET: "test-sign-in-secret-0123456789abcdef",
  URL_SIGNING_SECRET: "test-url-signing-secret-0123456789abcdef",
  RECEIPT_SECRET: "test-receipt-secret-0123456789abcdef",
  WEBHOOK_SECRET: "test-webhook-secret-0123456789abcdef",
};

const MAKERS = { className: "VariantMaker", useSQLite: true };
const BUDGETS = { className: "VariantBudget", useSQLite: true };
const JOURNALS = { className: "ViewJournal", useSQLite: true };

async function cdnWorker() {
  return {
    name: "media-host-cdn",
    modules: await bundleWorker("src/cdn/worker.ts", { minify: false }),
    compatibilityDate: "2026-10-01",
    r2Buckets: { FILES: "media-host-files" },
    queueProducers: { VIEWS: "media-host-views", UPLOADS: "media-host-uploads" },
    durableObjects: { VIEW_JOURNAL: JOURNALS, VARIANT_MAKER: MAKERS, VARIANT_BUDGET: BUDGETS },
    serviceBindings: { CODECS: { name: "media-host-codecs", entrypoint: "Codecs" } },
    ratelimits: VIEW_COUNTERS,
    bindings: {
      PREVIEW_SECRET: SECRETS.PREVIEW_SECRET,
      URL_SIGNING_SECRET: SECRETS.URL_SIGNING_SECRET,
      FILE_MAX_AGE_SECONDS: "300",
      MEDIA_PROCESSOR: "container",
      VIEW_JOURNALS: "4",
      // Tests that wait until a view is counted should not wait for a minute.
      VIEW_FLUSH_SECONDS: "1",
    },
  };
}

export async function codecWorker(entry = "src/codecs/worker.ts") {
  return {
    name: "media-host-codecs",
    modules: await bundleWorker(entry, { minify: false }),
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
  };
}

/** Workerd loads WebAssembly. Without this, `prepareModules` lets Vite make instances of it. */
const LEAVE_WASM = {
  name: "leave-wasm-to-workerd",
  enforce: "pre" as const,
  load(id: string) {
    if (id.endsWith(".wasm")) throw new Error("Workerd loads WebAssembly");
  },
};

/** The plugins for tests of the API Worker, whose entry is `main`. @param shards in addition to wrangler.toml's */
export function apiWorker(main: string, shards: readonly string[] = []) {
  const worker = cloudflareTest(async () => ({
    main,
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      d1Databases: Object.fromEntries(shards.map((shard) => [`LIBRARY_${shard}`, `library-${shard}`])),
      // `npm start` leaves its own secrets in .dev.vars.
      bindings: { ...SECRETS, ...LIMITS },
      ratelimits: COUNTERS,
      // `VARIANT_MAKER` is the CDN Worker's (wrangler.toml). A test sees the objects of `OWN_MAKER` and `OWN_BUDGET`.
      durableObjects: { VIEW_JOURNAL: JOURNALS, OWN_MAKER: MAKERS, OWN_BUDGET: BUDGETS },
      // No e-mail is sent, because MAIL_FROM is missing.
      email: { send_email: [{ name: "EMAIL" }] },
      workers: [await cdnWorker(), await codecWorker()],
    },
  }));
  return [LEAVE_WASM, worker];
}
