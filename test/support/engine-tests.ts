const filesIn = (folder: string) => `test/${folder}/**/*.test.ts`;

/**
 * Engines by thousands of cases each: codecs held against native ones, and the media processor with a real ffmpeg. They take minutes, so
 * `npm run test:e2e` has them, and `npm test` is what one runs between two edits.
 */
export const ENGINE_TESTS: readonly string[] = [
  "node/compression",
  "node/jpeg",
  "node/previews",
  "node/webp",
  "container",
].map(filesIn);

/** The same of intents under thousands of schedules: processes of their own. */
export const SIMULATION_TESTS = filesIn("node/simulation");
