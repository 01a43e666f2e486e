/** The uploads in one transaction of a long change. It blocks all other statements of the database. */
export const STEP_UPLOADS = 500;
const PAUSE_MS = 20;

/** Pauses between two steps, because a step that follows at once may overtake waiting statements. */
export function letOthersIn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
