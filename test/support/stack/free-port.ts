import { randomInt } from "node:crypto";
import { isPortFree } from "../../../src/tools/local/port.ts";

const FIRST = 10_000;
/** Linux gives outgoing connections the ports from here on. */
const FIRST_EPHEMERAL = 32_768;

/**
 * A port for a server that is started later, and again on the same port: none that the system may give to a connection of somebody else
 * meanwhile, as it may any that it chooses itself.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, FIRST_EPHEMERAL);
    if (await isPortFree(port)) return port;
  }
}
