// `npm test` is what one runs between two edits: these would double its time, and are in `npm run test:e2e`.

const filesIn = (folder: string) => `test/${folder}/**/*.test.ts`;

/** Engines by thousands of cases each: codecs held against native ones, and the media processor with a real ffmpeg. */
export const ENGINE_TESTS: readonly string[] = [
  "node/compression",
  "node/jpeg",
  "node/previews",
  "node/webp",
  "container",
].map(filesIn);

/** The same of intents under thousands of schedules: processes of their own. */
export const SIMULATION_TESTS = filesIn("node/simulation");

/** Crashes between any two steps, stores that fail, many clients at once, and random cases by the hundreds: in workerd. */
export const RUN_TESTS: readonly string[] = [
  "intents/account",
  "intents/delete-folder",
  "intents/upload",
  "keys-at-once",
  "library/bulk-filter",
  "library/cursor",
  "library/filters-together",
  "library/paging",
  "library/races",
  "library/same-moment",
  "library/search-parts",
  "meter/passwords",
  "openapi-bodies",
  "register-outage",
  "resumable/recovery",
  "shards/move",
  "thumbnails/crash",
  "thumbnails/erase",
  "thumbnails/twice",
  "uploads/failures",
  "uploads/last-bytes",
  "uploads/passing-failures",
  "uploads/together",
].map((name) => `test/api/${name}.test.ts`);
