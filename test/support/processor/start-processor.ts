import { Children } from "../../../src/tools/local/children.ts";
import { startMediaProcessor } from "../../../src/tools/local/media-processor.ts";

export interface RunningProcessor extends AsyncDisposable {
  readonly url: URL;
}

/**
 * Starts the media processor as a process on a free port of this machine. It ends with this process, even if this process is killed:
 * Vitest waits until no process holds the error output of a test process that it has killed.
 * @param sources the origins at which it may read videos
 * @throws Error if it does not start
 */
export async function startProcessor(...sources: readonly URL[]): Promise<RunningProcessor> {
  const children = new Children();
  const stop = () => children.stop();
  try {
    const sourceOrigins = sources.map(({ origin }) => origin).join(",");
    const { port } = await startMediaProcessor({ sourceOrigins, port: 0 }, children);
    return { url: new URL(`http://127.0.0.1:${port}`), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
