import { createWriteStream, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Where to read what the runtime said of the last run. */
const LOG = ".wrangler/test-runtime.log";

/** How workerd begins what it says of an exception that leaves a Durable Object, and of a stream whose other end has gone. */
const OF_THE_RUNTIME = /^(?:uncaught exception; |exception = |stack: )/;

/**
 * Has the runtime's log of failures written to a file. Many tests make stores fail and clients go away, each of which costs a dozen
 * lines; what is logged of them where a test fails would be lost among those of tests that pass.
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
