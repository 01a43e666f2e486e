// `npm test` is for the time between two edits. These tests would double its time, so they run in `npm run test:e2e` and `npm run test:engines`.

const file = (name: string) => `test/${name}.test.ts`;
const filesIn = (folder: string) => `test/${folder}/**/*.test.ts`;

/**
 * Engine tests of thousands of cases each: codecs compared with native ones, and the media processor with a real ffmpeg. Also tests that
 * bundle or start all of the product for a few answers.
 */
export const ENGINE_TESTS: readonly string[] = [
  ...["node/compression", "node/jpeg", "node/previews", "node/webp", "container"].map(filesIn),
  ...["node/deploy/wrangler-dry-run", "node/uploads/refused-bodies"].map(file),
];

/** Simulations of intents under hundreds of schedules: processes of their own. */
export const SIMULATION_TESTS = filesIn("node/simulation");

/** Crashes between any two steps, stores that fail, many clients at once, large files and cases by the hundreds: in workerd. */
export const RUN_TESTS: readonly string[] = [
  "api/intents/account",
  "api/intents/delete-folder",
  "api/intents/upload",
  "api/keys-at-once",
  "api/library/bulk-filter",
  "api/library/cursor",
  "api/library/filters-together",
  "api/library/paging",
  "api/library/races",
  "api/library/same-moment",
  "api/library/search-parts",
  "api/meter/passwords",
  "api/openapi-bodies",
  "api/register-outage",
  "api/resumable/recovery",
  "api/resumable/upload",
  "api/shards/move",
  "api/thumbnails/crash",
  "api/thumbnails/erase",
  "api/thumbnails/twice",
  "api/uploads/failures",
  "api/uploads/last-bytes",
  "api/uploads/multipart-random",
  "api/uploads/passing-failures",
  "api/uploads/quota",
  "api/uploads/stuck",
  "api/uploads/together",
].map(file);

/** Tests that measure the machine, or change a source from which stacks are built. */
export const LONE_STACK_TESTS: readonly string[] = ["e2e/crowd", "e2e/local-stack", "e2e/slow-crowd"].map(file);

/** Walks of the dashboard that need little of Chromium. `npm run test:e2e` runs them beside other stacks. */
export const SHORT_WALKS: readonly string[] = ["names", "tour"].map((part) => file(`e2e/dashboard-${part}`));

/** Tests that need minutes of Chromium. Some measure frames, so they need the machine for themselves: `npm run test:dashboard`. */
export const DASHBOARD_WALKS: readonly string[] = [
  "acceptance",
  "account",
  "app",
  "developer-faults",
  "developers",
  "duplicates",
  "file",
  "file-faults",
  "folder-faults",
  "folders",
  "grid",
  "keys",
  "library",
  "looks",
  "mail-pages",
  "operator",
  "operator-room",
  "organise",
  "pages",
  "share-faults",
  "shares",
  "sign-in",
  "sizes",
  "tab-path",
  "upload-ways",
  "uploads",
  "views",
  "zoom",
].map((page) => file(`e2e/dashboard-${page}`));

/** Browser tests of `npm run test:e2e`, which run beside other stacks. */
export const PAGE_TESTS: readonly string[] = [
  ...["dashboard-keyboard", "dashboard-shell"],
  ...[
    "address-bar",
    "docs",
    "guest-uploads",
    "media-upload",
    "recipes",
    "share-page",
    "snippets",
    "tools-pages",
    "tools-uppy",
  ],
].map((name) => file(`e2e/${name}`));

/**
 * The test files that take longest, in the order in which they start. Files of `npm test` are sorted by project first, because Vitest ends
 * a worker whose next file is of another project.
 */
export const LONGEST_TESTS: readonly string[] = [
  ...["local/demo-accounts", "placeholders/placeholders", "packages", "variants/variants"].map(
    (name) => `node/${name}`,
  ),
  ...["metadata/scrubbed-files", "metadata/stored-files", "client/uploads"].map((name) => `node/${name}`),
  ...["auth-matrix", "mail/password-reset", "unknown-keys", "refusals", "paging/every-list"].map(
    (name) => `api/${name}`,
  ),
  ...["mail/email-change", "mail/verification", "alerts/delivery", "resumable/drops"].map((name) => `api/${name}`),
  // Of `npm run test:e2e`.
  ...["uploads/failures", "uploads/stuck", "resumable/recovery", "openapi-bodies"].map((name) => `api/${name}`),
  ...["backup", "idle-meter", "recipes", "dashboard-shell", "crash", "share-page"].map((name) => `e2e/${name}`),
  ...["slow-crowd", "crowd"].map((name) => `e2e/${name}`),
  "node/simulation/simulation",
  ...["dashboard-tour", "dashboard-names", "crash-variants", "processor-sources", "bad-input"].map(
    (name) => `e2e/${name}`,
  ),
  ...["thumbnails", "dashboard-keyboard", "jpeg-encoders", "cli", "stack", "media-upload"].map((name) => `e2e/${name}`),
].map(file);
