const TIMEOUT_MS = 120_000;

/** Waits until a thumbnail is served at its URL. @throws Error if that takes too long */
export async function untilVisible(thumbnailUrl: string | undefined, pollMs: number): Promise<void> {
  if (thumbnailUrl === undefined) throw new Error("The upload was not answered with a thumbnailUrl");
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(thumbnailUrl);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 200 && bytes[0] === 0xff && bytes[1] === 0xd8) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`${thumbnailUrl} was not served in time`);
}
