/** How long the page stays as it is, for what comes to be shown at once; then what is there is shown. */
const PATIENCE_MS = 150;

/** Waits until something is loaded, or for as long as the page may stay as it is. */
export async function withPatience(loading: Promise<unknown>): Promise<void> {
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
