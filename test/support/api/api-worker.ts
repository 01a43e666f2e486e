import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";

/** All the accounts of the tests are opened from one address. Tests of what is counted and logged say so; the others do not wait for it. */
const LIMITS = { ADDRESS_REGISTRATIONS_PER_HOUR: "100000", METRICS_FLUSH_SECONDS: "0", REQUEST_LOG: "errors" };

const SECRETS = {
  JWT_SECRET: "test-jwt-secret-0123456789abcdef0123456789abcdef",
  ADMIN_TOKEN: "test-admin-token-0123456789abcdef",
  PREVIEW_SECRET: "test-preview-secret-0123456789abcdef",
  WEBHOOK_SECRET: "test-webhook-secret-0123456789abcdef",
};

// wrangler looks for the secrets that a Worker's configuration requires here.
Object.assign(process.env, SECRETS);

const JOURNALS = { className: "ViewJournal", useSQLite: true };

async function cdnWorker() {
  return {
    name: "media-host-cdn",
    modules: await bundleWorker("src/cdn/worker.ts", { minify: false }),
    compatibilityDate: "2026-10-01",
    r2Buckets: { FILES: "media-host-files" },
    queueProducers: { VIEWS: "media-host-views" },
    durableObjects: { VIEW_JOURNAL: JOURNALS },
    bindings: {
      PREVIEW_SECRET: SECRETS.PREVIEW_SECRET,
      FILE_MAX_AGE_SECONDS: "300",
      VIEW_JOURNALS: "4",
      // Tests that see a view counted do not wait for a minute.
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

/** The plugin for tests of the API Worker, whose entry is `main`. @param shards more than those of wrangler.toml */
export function apiWorker(main: string, shards: readonly string[] = []) {
  return cloudflareTest(async () => ({
    main,
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      d1Databases: Object.fromEntries(shards.map((shard) => [`LIBRARY_${shard}`, `library-${shard}`])),
      // `npm start` leaves secrets of its own in .dev.vars.
      bindings: { ...SECRETS, ...LIMITS },
      durableObjects: { VIEW_JOURNAL: JOURNALS },
      // Without ALERT_EMAIL_FROM nothing is sent.
      email: { send_email: [{ name: "EMAIL" }] },
      workers: [await cdnWorker(), await codecWorker()],
    },
  }));
}
