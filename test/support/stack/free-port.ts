import { randomInt } from "node:crypto";
import { isPortFree } from "../../../src/tools/local/port.ts";

const FIRST = 10_000;
/** Linux gives outgoing connections the ports from here on. */
const FIRST_EPHEMERAL = 32_768;

/**
 * A port for a server that starts later, and may restart on it. The system cannot give it to another connection in between, unlike the
 * ports that it chooses itself.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, FIRST_EPHEMERAL);
    if (await isPortFree(port)) return port;
  }
}
