/** A new page appears at the latest after this time, complete or not. */
const PATIENCE_MS = 150;

/** Waits until the page is loaded, for 150 ms at most. */
export async function withPatience(loading: Promise<unknown>): Promise<void> {
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
