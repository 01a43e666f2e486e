import { compressImage } from "../../../src/media/compress.ts";
import type { MediaType } from "../../../src/media/sniff.ts";
import { MediaProcessor } from "../../../src/processor/media-processor.ts";

/**
 * The product's compression without the product around it. `POST /?type&quality[&processor]` answers with what is to be
 * stored instead of the body, nothing where the body is to be kept. `GET /last` tells how that was done.
 * `POST /nothing?bytes` takes a body and answers with as many bytes without any work.
 */

let outcome = "";
/** What the codecs instantiated for the last image. */
const memories: WebAssembly.Memory[] = [];

Object.assign(WebAssembly, {
  Instance: class extends WebAssembly.Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      memories.push(...Object.values(this.exports).filter((each) => each instanceof WebAssembly.Memory));
    }
  },
});

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/last") {
      return Response.json({
        outcome,
        webAssemblyBytes: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
      });
    }
    const body = new Uint8Array(await request.arrayBuffer());
    if (pathname === "/nothing") return new Response(body.subarray(0, Number(searchParams.get("bytes"))));
    memories.length = 0;
    return new Response(
      await compress(body, {
        type: searchParams.get("type") as MediaType,
        quality: Number(searchParams.get("quality")),
        processorUrl: searchParams.get("processor"),
      }),
    );
  },
};

interface Task {
  readonly type: MediaType;
  readonly quality: number;
  readonly processorUrl: string | null;
}

async function compress(image: Uint8Array<ArrayBuffer>, { type, quality, processorUrl }: Task) {
  const compression = await compressImage(type, image, quality);
  outcome = compression.outcome;
  if (compression.outcome === "compressed") return compression.bytes;
  if (compression.outcome === "kept" || processorUrl === null) return null;
  const processor = new MediaProcessor((path, init) => fetch(new URL(path, processorUrl), init));
  return (await processor.compress(type, quality, image))?.body;
}
