const TRIES = 4;
const ANSWER_WITHIN_MS = 20_000;

/**
 * Asks whether a file is still served: it may have been deleted since. `HEAD` needs no key, and is no view that counts.
 * @throws Error where no answer says it; the signal's reason
 */
export async function isStillThere(url: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { ok, status } = await askOnce(url, signal);
      if (ok) return true;
      if (status === 404 || status === 410) return false;
      if (tries >= TRIES) throw new Error(`${url} answers with ${status}, so that it is not known whether it is there`);
    } catch (error) {
      signal.throwIfAborted();
      if (tries >= TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries * Math.random()));
  }
}

/** `AbortSignal.timeout` would be held until its time has come: thousands of them, in a large folder. */
async function askOnce(url: string, signal: AbortSignal): Promise<Response> {
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new Error("no answer came in time")), ANSWER_WITHIN_MS);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await fetch(url, { method: "HEAD", signal: controller.signal });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
