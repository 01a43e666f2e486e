const POLL_MS = 250;

/** Tries until there is a result. @param what names the awaited event @throws Error after the timeout */
export async function until<T>(what: string, timeoutMs: number, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${what} did not come within ${timeoutMs / 1000} seconds`);
}
