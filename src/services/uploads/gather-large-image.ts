import type { IncomingFile } from "./incoming-file.ts";
import { largeImageTurns } from "./large-image-turns.ts";
import type { PartBuffer } from "./part-buffer.ts";

/** A slower client, in bytes within a time, gives its turn to others who wait: 32 MB come in less than they wait. */
const LEAST_BYTES = 2 * 1024 * 1024;
const WITHIN_MS = 1000;
const CHECK_EVERY_MS = 250;

/**
 * Gathers an image in memory, in whose turn its caller is: until it ends, the buffer is full, or others wait for the turn
 * and the client is slow.
 * @throws MultipartError, BodyTooLargeError
 */
export async function gatherLargeImage(buffer: PartBuffer, incoming: IncomingFile): Promise<void> {
  const pace = incoming.watchPace(LEAST_BYTES, WITHIN_MS);
  const { promise: stop, resolve } = Promise.withResolvers<false>();
  const timer = setInterval(() => {
    if (pace.isSlow() && largeImageTurns.isWanted) resolve(false);
  }, CHECK_EVERY_MS);
  try {
    await incoming.readMore(buffer, stop);
  } finally {
    clearInterval(timer);
  }
}
