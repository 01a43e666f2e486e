/** Uploads per transaction of a long change: it blocks all other statements of the database. */
export const STEP_UPLOADS = 500;
const PAUSE_MS = 20;

/** Pauses between two steps: a step that follows at once may overtake statements that have waited. */
export function letOthersIn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
