/** Images over one part that this isolate holds at once: each may take 35 MB. */
const MAX_TURNS = 2;
/** A slow client must not keep the others from storing their photos, uncompressed if need be. */
const MAX_WAIT_MS = 10_000;

let taken = 0;
const waiting = new Set<() => void>();

/**
 * Leave to hold a large image in memory, as soon as there is room.
 * @returns what gives the turn back; undefined where it did not come in time
 */
export async function takeLargeImageTurn(): Promise<(() => void) | undefined> {
  if (taken >= MAX_TURNS && !(await waitForTurn())) return undefined;
  taken += 1;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    taken -= 1;
    const [next] = waiting;
    next?.();
  };
}

async function waitForTurn(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const proceed = () => resolve(true);
  const timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
  waiting.add(proceed);
  try {
    return await promise;
  } finally {
    waiting.delete(proceed);
    clearTimeout(timer);
  }
}
