import { isolateMemory } from "../../../src/codecs/isolate-memory.ts";
import { Codecs as ProductCodecs } from "../../../src/codecs/worker.ts";

/** The Codec Worker, which tells how often it was invoked, and how much of its memory is free. */

let invocations = 0;

/** The platform makes an instance for each invocation. */
export class Codecs extends ProductCodecs {
  constructor(ctx: ExecutionContext, env: Record<string, never>) {
    super(ctx, env);
    invocations += 1;
  }
}

export default {
  fetch: () => Response.json({ invocations, freeBytes: isolateMemory.freeBytes }),
};
