import type { Codecs } from "../../../src/codecs/worker.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { MediaProcessor } from "../../../src/processor/media-processor.ts";
import { StoredImage } from "../../../src/processor/stored-image.ts";

/**
 * The product's previews without the product around them. `PUT /` stores a file; `GET /?type` makes its preview, `bytes-read` of the
 * answer tells how much of the file was read; `GET /whole` reads it and makes nothing.
 */

interface BenchEnv {
  readonly CODECS: Service<typeof Codecs>;
  readonly FILES: R2Bucket;
}

const KEY = "file";

export default {
  async fetch(request: Request, { CODECS, FILES }: BenchEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "PUT") {
      await FILES.put(KEY, await request.arrayBuffer());
      return new Response();
    }
    const sizeBytes = (await FILES.head(KEY))?.size ?? 0;
    const image = new StoredImage(FILES, KEY);
    if (pathname === "/whole") return new Response(await image.read(0, sizeBytes));
    const type = searchParams.get("type") as MediaType;
    const answer = await new MediaProcessor(undefined, "", CODECS).preview({ type, sizeBytes }, image);
    if (answer.outcome !== "made") return Response.json(answer, { status: 422 });
    return new Response(answer.webp, { headers: { "bytes-read": String(image.readBytes) } });
  },
};
