import type { Codecs } from "../../../src/codecs/worker.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { MediaProcessor } from "../../../src/processor/media-processor.ts";

/**
 * The product's compression without the product around it. `POST /?type&quality[&processor]` answers with the result, or with nothing if
 * the body is to be kept. `GET /last` reports how that was done, `GET /ping` nothing. `POST /nothing?bytes` takes a body and answers with
 * this number of bytes without any work.
 */

interface BenchEnv {
  readonly CODECS: Service<typeof Codecs>;
  /** Reports the memory of the codecs. */
  readonly CODECS_MEMORY: Fetcher;
}

let wasSentOn = false;

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/ping") return new Response();
    if (pathname === "/last") {
      const memory = await env.CODECS_MEMORY.fetch("http://codecs/");
      return Response.json({ wasSentOn, webAssemblyBytes: await memory.json() });
    }
    const body = new Uint8Array(await request.arrayBuffer());
    if (pathname === "/nothing") return new Response(body.subarray(0, Number(searchParams.get("bytes"))));
    await env.CODECS_MEMORY.fetch("http://codecs/", { method: "DELETE" });
    wasSentOn = false;
    const send = async (path: string, makeRequest: () => RequestInit | Promise<RequestInit>) => {
      wasSentOn = true;
      return fetch(new URL(path, searchParams.get("processor") ?? undefined), await makeRequest());
    };
    using session = new MediaProcessor(send, "", env.CODECS).openCompression();
    const image = await session.compress({
      type: searchParams.get("type") as MediaType,
      quality: Number(searchParams.get("quality")),
      sizeBytes: body.length,
      open: async () => new Blob([body]).stream(),
    });
    return new Response(image === undefined ? null : await new Response(image.body).arrayBuffer());
  },
};
