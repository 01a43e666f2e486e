import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { apiWorker, codecWorker } from "./test/support/api/api-worker.ts";

// Tests run inside workerd, on real local D1, R2, Durable Objects and Queues. `api` has all Workers, as in production:
// the CDN and the Codec Worker are bundled and bound as services. `node` has what is judged by native decoders, which workerd cannot load.

export default defineConfig({
  test: {
    // Many tests make stores and codecs fail; what is logged of that is read where one of them fails.
    silent: "passed-only",
    projects: [
      {
        plugins: [apiWorker("./test/support/api/worker.ts")],
        test: {
          name: "api",
          // Passwords are hashed for real, and a machine may be slow.
          testTimeout: 20_000,
          include: ["test/api/**/*.test.ts", "test/unit/**/*.test.ts"],
          setupFiles: ["test/support/api/apply-migrations.ts"],
        },
      },
      {
        // Bindings that fail at random; `npm run test:faults` runs the whole of `api` over them.
        plugins: [apiWorker("./test/support/faults/worker.ts")],
        test: {
          name: "faults",
          testTimeout: 60_000,
          include: ["test/faults/**/*.test.ts"],
          setupFiles: ["test/support/api/apply-migrations.ts"],
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./src/cdn/wrangler.toml" } })],
        test: { name: "cdn", include: ["test/cdn/**/*.test.ts"] },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            miniflare: {
              compatibilityDate: "2026-10-01",
              compatibilityFlags: ["nodejs_compat"],
              serviceBindings: {
                CODECS: { name: "media-host-codecs", entrypoint: "Codecs" },
                COUNTED: "media-host-codecs",
              },
              workers: [await codecWorker("test/support/codecs/counted-worker.ts")],
            },
          })),
        ],
        test: { name: "codecs", include: ["test/codecs/**/*.test.ts"] },
      },
      {
        test: {
          name: "node",
          testTimeout: 60_000,
          // Many files start a whole stack of their own, several at once.
          hookTimeout: 60_000,
          include: ["test/node/**/*.test.ts", "test/container/**/*.test.ts"],
        },
      },
    ],
  },
});
