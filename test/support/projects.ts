import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { apiWorker, codecWorker } from "./api/api-worker.ts";
import { ENGINE_TESTS, RUN_TESTS, SIMULATION_TESTS } from "./slow-tests.ts";

/** Random cases by the thousands, files of tens of megabytes, long waits. */
const LONG = "*.long.test.ts";

/** More than one pass of an erasure takes. A hundred thousand take the simulator's R2 half an hour: `ERASED_UPLOADS=100000`. */
const ERASED_UPLOADS = 4500;

const SHARED_BY_API = {
  // Passwords are hashed for real, a machine may be slow, and a worker's first test waits until all of the service is loaded.
  testTimeout: 40_000,
  provide: { erasedUploads: Number(process.env.ERASED_UPLOADS ?? ERASED_UPLOADS) },
  hookTimeout: 40_000,
  setupFiles: ["test/support/api/apply-migrations.ts"],
  globalSetup: ["test/support/prepare-modules.ts"],
};

/** The tests of the API that take minutes. */
export function runsProject() {
  return {
    plugins: [apiWorker("./test/support/api/worker.ts")],
    test: { ...SHARED_BY_API, include: [...RUN_TESTS], name: "api (runs)" },
  };
}

/**
 * Tests in workerd and beside it. `api` has all Workers, as in production: the CDN and the Codec Worker are bundled and bound as
 * services. `node` has what runs outside of it: tools, whole stacks and, among long ones, the engines.
 */
export function testProjects({ long }: { readonly long: boolean }) {
  const chosen = (...folders: readonly string[]) => ({
    include: folders.map((folder) => `test/${folder}/**/${long ? LONG : "*.test.ts"}`),
    exclude: long ? [] : [`**/${LONG}`],
  });
  const name = (area: string) => (long ? `${area} (long)` : area);
  return [
    {
      plugins: [apiWorker("./test/support/api/worker.ts")],
      test: {
        ...SHARED_BY_API,
        ...chosen("api", "unit"),
        exclude: ["test/unit/dashboard/**", ...RUN_TESTS, ...chosen().exclude],
        name: name("api"),
      },
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
      test: { ...chosen("codecs"), name: name("codecs"), testTimeout: 30_000 },
    },
    {
      test: {
        ...chosen("node", "container", "unit/dashboard"),
        exclude: long ? [] : [...ENGINE_TESTS, SIMULATION_TESTS, ...chosen().exclude],
        name: name("node"),
        testTimeout: 60_000,
        // Many files start a whole stack of their own, several at once.
        hookTimeout: 60_000,
      },
    },
  ];
}
