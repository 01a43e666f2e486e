// `npm test` is what one runs between two edits: these would double its time, and are in `npm run test:e2e`.

const file = (name: string) => `test/${name}.test.ts`;
const filesIn = (folder: string) => `test/${folder}/**/*.test.ts`;

/**
 * Engines by thousands of cases each: codecs held against native ones, and the media processor with a real ffmpeg. With them what bundles
 * or starts all of the product for a few answers.
 */
export const ENGINE_TESTS: readonly string[] = [
  ...["node/compression", "node/jpeg", "node/previews", "node/webp", "container"].map(filesIn),
  ...["node/deploy/wrangler-dry-run", "node/uploads/refused-bodies"].map(file),
];

/** The same of intents under thousands of schedules: processes of their own. */
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
  "api/uploads/passing-failures",
  "api/uploads/quota",
  "api/uploads/together",
  "unit/db/search-grams",
  "unit/multipart/limits",
  "unit/multipart/random",
].map(file);
