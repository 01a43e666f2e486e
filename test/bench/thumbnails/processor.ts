import { Children } from "../../../src/tools/local/children.ts";
import { startMediaProcessor } from "../../../src/tools/local/media-processor.ts";

/** The media processor as a process, which may read videos at these origins. */
export async function startProcessor(...sources: readonly URL[]): Promise<{ readonly url: string } & AsyncDisposable> {
  const children = new Children();
  const stop = () => children.stop();
  try {
    const sourceOrigins = sources.map(({ origin }) => origin).join(",");
    const { port } = await startMediaProcessor({ sourceOrigins, port: 0 }, children);
    return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
