import { startProcessor } from "../../support/processor/start-processor.ts";
import { type Stack, startApi } from "../../support/stack/miniflare.ts";
import { CountingProxy } from "./counting-proxy.ts";

/** Both Workers with their queues, and the media processor that they call, as `npm start` has them. */
export interface Stage extends AsyncDisposable {
  readonly stack: Stack;
  /** The address of the files. */
  readonly cdn: CountingProxy;
}

export async function startStage(): Promise<Stage> {
  await using started = new AsyncDisposableStack();
  const cdn = started.use(await CountingProxy.start());
  const processor = started.use(await startProcessor(cdn.url));
  const stack = started.use(
    await startApi({ MEDIA_SOURCE_URL: cdn.url.origin, MEDIA_PROCESSOR_URL: processor.url.href }),
  );
  cdn.forwardTo(stack.url);
  const all = started.move();
  return { stack, cdn, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
