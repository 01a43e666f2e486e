import type { ChildProcess } from "node:child_process";
import { startMediaProcessor } from "../../../src/tools/local/media-processor.ts";
import { stopGroup } from "../../../src/tools/local/run.ts";

/** The media processor as a process of its own, which may read videos at these origins. */
export async function startProcessor(...sources: readonly URL[]): Promise<{ readonly url: string } & AsyncDisposable> {
  const children: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(children.map(stopGroup));
  };
  try {
    const origins = sources.map(({ origin }) => origin).join(",");
    return { url: await startMediaProcessor(origins, (child) => children.push(child)), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
