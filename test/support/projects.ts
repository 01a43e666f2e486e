import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { apiWorker, codecWorker, SECRETS } from "./api/api-worker.ts";
import { deployProject } from "./deploy/project.ts";
import { faultsProject } from "./faults/project.ts";
import type { Project } from "./project.ts";
import { shardsProject } from "./shards/project.ts";
import {
  DASHBOARD_WALKS,
  ENGINE_TESTS,
  LONE_STACK_TESTS,
  PAGE_TESTS,
  RUN_TESTS,
  SHORT_WALKS,
  SIMULATION_TESTS,
} from "./slow-tests.ts";

type Settings = Partial<Project["test"]>;

const LONG = "**/*.long.test.ts";

/** More uploads than one pass of an erasure deletes. With `ERASED_UPLOADS=100000` the simulator's R2 takes half an hour. */
const ERASED_UPLOADS = 4500;

/** The number of workers, which projects that run together must share. With four workers, two cores are idle a sixth of the time. */
const NPM_TEST: Settings = { maxWorkers: 5, isolate: false, sequence: { groupOrder: 0 } };
const RUNS: Settings = { maxWorkers: 4, isolate: false, sequence: { groupOrder: 1 } };
/** Tests of whole stacks often wait for a browser, or for the end of a process or a minute. With four workers, two cores are too busy for tests of time. */
const STACKS: Settings = {
  maxWorkers: 3,
  sequence: { groupOrder: 2 },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000, interval: 100 } },
};
/** These need nothing but a processor, so `.ci/run` runs them beside the tests of whole stacks. */
const ENGINES: Settings = { ...STACKS, maxWorkers: 2, isolate: false, sequence: { groupOrder: 6 } };
const MINUTES: Settings = { maxWorkers: 3, isolate: false, sequence: { groupOrder: 5 } };

const API = {
  // A long timeout: passwords are hashed for real, and a worker's first test waits until the service is loaded.
  testTimeout: 40_000,
  hookTimeout: 40_000,
  provide: { erasedUploads: Number(process.env.ERASED_UPLOADS ?? ERASED_UPLOADS) },
  setupFiles: ["test/support/api/apply-migrations.ts"],
  globalSetup: ["test/support/prepare-modules.ts"],
};

const NODE = { testTimeout: 60_000, hookTimeout: 60_000 };

export const PROJECTS: readonly Project[] = [
  {
    // Pure functions, in Node.
    test: {
      ...NPM_TEST,
      ...NODE,
      name: "unit",
      include: ["test/unit/**/*.test.ts"],
      exclude: [LONG, ...RUN_TESTS],
    },
  },
  {
    // The API Worker with the CDN Worker and the Codec Worker bound to it, in workerd.
    plugins: [apiWorker("./test/support/api/worker.ts")],
    test: {
      ...NPM_TEST,
      ...API,
      name: "api",
      include: ["test/api/**/*.test.ts"],
      exclude: [LONG, ...RUN_TESTS],
    },
  },
  cdnProject({ ...NPM_TEST, name: "cdn", include: ["test/cdn/**/*.test.ts"], exclude: [LONG] }),
  codecsProject({ ...NPM_TEST, name: "codecs", include: ["test/codecs/**/*.test.ts"], exclude: [LONG] }),
  {
    test: {
      ...NPM_TEST,
      ...NODE,
      name: "node",
      include: ["test/node/**/*.test.ts", "test/container/**/*.test.ts"],
      exclude: [LONG, SIMULATION_TESTS, ...ENGINE_TESTS],
    },
  },
  {
    plugins: [apiWorker("./test/support/api/worker.ts")],
    test: { ...RUNS, ...API, name: "runs", include: [...RUN_TESTS] },
  },
  { test: { ...ENGINES, name: "engines", include: [...ENGINE_TESTS, SIMULATION_TESTS], exclude: [LONG] } },
  {
    // Black-box tests: each file starts its own stack, on free ports and with its own state folder.
    test: {
      ...STACKS,
      name: "e2e",
      include: ["test/e2e/**/*.test.ts"],
      exclude: [LONG, ...LONE_STACK_TESTS, ...DASHBOARD_WALKS, ...SHORT_WALKS, ...PAGE_TESTS],
    },
  },
  // Chromium shares two cores with other stacks. The run marks a test that passes at the second try with `retry x1`: that is a bug to look into.
  { test: { ...STACKS, name: "pages", include: [...PAGE_TESTS], retry: 1 } },
  { test: { ...STACKS, name: "short-walks", include: [...SHORT_WALKS], retry: 1 } },
  { test: { ...STACKS, name: "e2e-alone", include: [...LONE_STACK_TESTS], sequence: { groupOrder: 3 } } },
  {
    // Components of the dashboard in Chromium.
    extends: "./test/dashboard/vitest.config.ts",
    test: { ...STACKS, name: "dashboard", include: ["test/dashboard/**/*.test.tsx"], retry: 1 },
  },
  {
    // The other pages of the dashboard, one after the other, because some of these tests count frames.
    test: {
      ...STACKS,
      name: "walks",
      include: [...DASHBOARD_WALKS],
      fileParallelism: false,
      sequence: { groupOrder: 4 },
    },
  },
  {
    plugins: [apiWorker("./test/support/api/worker.ts")],
    test: { ...MINUTES, ...API, name: "api-long", include: ["test/api/**/*.long.test.ts"] },
  },
  cdnProject({ ...MINUTES, name: "cdn-long", include: ["test/cdn/**/*.long.test.ts"] }),
  codecsProject({ ...MINUTES, name: "codecs-long", include: ["test/codecs/**/*.long.test.ts"] }),
  {
    test: {
      ...MINUTES,
      ...NODE,
      name: "node-long",
      include: ["test/node/**/*.long.test.ts", "test/container/**/*.long.test.ts"],
    },
  },
  withSettings(deployProject(), MINUTES),
  withSettings(faultsProject(), MINUTES),
  withSettings(shardsProject(), MINUTES),
];

function withSettings(project: Project, settings: Settings): Project {
  return { ...project, test: { ...settings, ...project.test } };
}

/** The CDN Worker with the Codec Worker bound to it, in workerd. */
function cdnProject(test: Project["test"]): Project {
  return {
    plugins: [
      cloudflareTest(async () => ({
        wrangler: { configPath: "./src/cdn/wrangler.toml" },
        // No journal sends on its own while a test reads it. (`npm start` leaves another figure in .dev.vars.)
        miniflare: {
          bindings: {
            PREVIEW_SECRET: SECRETS.PREVIEW_SECRET,
            URL_SIGNING_SECRET: SECRETS.URL_SIGNING_SECRET,
            VIEW_FLUSH_SECONDS: "3600",
          },
          workers: [await codecWorker()],
        },
      })),
    ],
    test: { ...test, testTimeout: 20_000 },
  };
}

/** The Codec Worker, which tests reach by its RPC entry point and as a service that counts its calls. */
function codecsProject(test: Project["test"]): Project {
  return {
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
    test: { ...test, testTimeout: 30_000 },
  };
}
