import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { bundleWorker } from "./src/tools/local/bundle-worker.ts";

// Tests run inside workerd, on real local D1, R2, Durable Objects and Queues. `api` has both Workers, as in production:
// the CDN Worker is bundled and bound as a service. `node` has what is judged by native decoders, which workerd cannot load.

/** All the accounts of the tests are opened from one address. */
const LIMITS = { ADDRESS_REGISTRATIONS_PER_HOUR: "100000" };

const SECRETS = {
  JWT_SECRET: "test-jwt-secret-0123456789abcdef0123456789abcdef",
  ADMIN_TOKEN: "test-admin-token-0123456789abcdef",
  PREVIEW_SECRET: "test-preview-secret-0123456789abcdef",
};

// wrangler looks for the secrets that a Worker's configuration requires here.
Object.assign(process.env, SECRETS);

async function cdnWorker() {
  return {
    name: "media-host-cdn",
    modules: await bundleWorker("src/cdn/worker.ts", { minify: false }),
    compatibilityDate: "2026-10-01",
    r2Buckets: { FILES: "media-host-files" },
    queueProducers: { VIEWS: "media-host-views" },
    bindings: { PREVIEW_SECRET: SECRETS.PREVIEW_SECRET, FILE_MAX_AGE_SECONDS: "300" },
  };
}

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            main: "./test/support/worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              // `npm start` leaves secrets of its own in .dev.vars.
              bindings: { ...SECRETS, ...LIMITS, TEST_MIGRATIONS: await readD1Migrations("migrations") },
              workers: [await cdnWorker()],
            },
          })),
        ],
        test: {
          name: "api",
          // Passwords are hashed for real, and a machine may be slow.
          testTimeout: 20_000,
          include: ["test/api/**/*.test.ts", "test/unit/**/*.test.ts"],
          setupFiles: ["test/support/apply-migrations.ts"],
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./src/cdn/wrangler.toml" } })],
        test: { name: "cdn", include: ["test/cdn/**/*.test.ts"] },
      },
      {
        test: { name: "node", include: ["test/node/**/*.test.ts", "test/container/**/*.test.ts"], testTimeout: 60_000 },
      },
    ],
  },
});
