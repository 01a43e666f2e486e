/** Tests that count requests in a minute's window must not start right before its end. */
export async function waitForQuietMinute(neededMs = 6000): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < neededMs) await new Promise((resolve) => setTimeout(resolve, leftMs + 50));
}
