import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { build } from "esbuild";
import { defineConfig } from "vitest/config";

// Tests run inside workerd, on real local D1, R2, Durable Objects and Queues. `api` has both Workers, as in production:
// the CDN Worker is bundled and bound as a service.

const SECRETS = {
  JWT_SECRET: "test-jwt-secret-0123456789abcdef0123456789abcdef",
  ADMIN_TOKEN: "test-admin-token-0123456789abcdef",
  PREVIEW_SECRET: "test-preview-secret-0123456789abcdef",
};

// wrangler looks for the secrets that a Worker's configuration requires here.
Object.assign(process.env, SECRETS);

async function cdnWorker() {
  const { outputFiles } = await build({
    entryPoints: ["src/cdn/worker.ts"],
    bundle: true,
    format: "esm",
    target: "es2024",
    write: false,
  });
  return {
    name: "media-host-cdn",
    modules: [{ type: "ESModule" as const, path: "worker.js", contents: outputFiles[0]?.text ?? "" }],
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
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: { TEST_MIGRATIONS: await readD1Migrations("migrations") },
              workers: [await cdnWorker()],
            },
          })),
        ],
        test: {
          name: "api",
          include: ["test/api/**/*.test.ts", "test/unit/**/*.test.ts"],
          setupFiles: ["test/support/apply-migrations.ts"],
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./src/cdn/wrangler.toml" } })],
        test: { name: "cdn", include: ["test/cdn/**/*.test.ts"] },
      },
    ],
  },
});
