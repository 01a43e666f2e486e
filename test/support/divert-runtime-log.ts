import { createWriteStream, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** The runtime's log of the last run. */
const LOG = ".wrangler/test-runtime.log";

/** The start of workerd's messages about an exception that leaves a Durable Object, and about a stream whose other end has gone. */
const OF_THE_RUNTIME = /^(?:uncaught exception; |exception = |stack: )/;

/**
 * Writes the runtime's log of failures to a file. Many tests make stores fail and clients disconnect, and each failure logs a dozen lines.
 * The lines of a failing test would be lost among the lines of passing tests.
 */
export function divertRuntimeLog(): void {
  mkdirSync(dirname(LOG), { recursive: true });
  const log = createWriteStream(LOG);
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = ((chunk: unknown, ...rest: never[]) =>
      typeof chunk === "string" && OF_THE_RUNTIME.test(chunk)
        ? log.write(chunk)
        : write(chunk as string, ...rest)) as typeof stream.write;
  }
}
