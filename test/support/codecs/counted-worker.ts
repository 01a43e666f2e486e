import { isolateMemory } from "../../../src/codecs/isolate-memory.ts";
import { webpEngine } from "../../../src/codecs/libwebp.ts";
import { Codecs as ProductCodecs } from "../../../src/codecs/worker.ts";

/** The Codec Worker, which also reports the number of its invocations and its free memory, and makes a large WebP. */

let invocations = 0;

/** The platform makes an instance for each invocation. */
export class Codecs extends ProductCodecs {
  constructor(ctx: ExecutionContext, env: Record<string, never>) {
    super(ctx, env);
    invocations += 1;
  }
}

export default {
  fetch: async (request: Request) =>
    new URL(request.url).pathname === "/webp"
      ? new Response(await encodeWaves(2000, 2000))
      : Response.json({ invocations, freeBytes: isolateMemory.freeBytes }),
};

function encodeWaves(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const data = new Uint8Array(4 * width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const light = 128 + 90 * Math.sin(x / 37) * Math.cos(y / 53) + ((x * 7919 + y * 104729) % 13);
      data.set([light, 255 - light, (x + y) & 255, 255], at);
    }
  }
  return webpEngine.encode({ data, width, height }, { quality: 95, lossless: false });
}
