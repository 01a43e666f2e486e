import type { Codecs } from "../../../src/codecs/worker.ts";
import { MediaProcessor } from "../../../src/processor/media-processor.ts";
import type { SourceImage } from "../../../src/processor/source-image.ts";
import { StoredImage } from "../../../src/processor/source-image.ts";

/**
 * The product's previews without the product around them. `PUT /` stores a file; `GET /` makes its preview; `GET /counted` does, too, and
 * `bytes-read` of the answer is the number of bytes read of the file; `GET /whole` reads it and makes nothing.
 */

interface BenchEnv {
  readonly CODECS: Service<typeof Codecs>;
  readonly FILES: R2Bucket;
}

const KEY = "file";

export default {
  async fetch(request: Request, { CODECS, FILES }: BenchEnv): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method === "PUT") {
      const contentType = request.headers.get("Content-Type") ?? "";
      await FILES.put(KEY, await request.arrayBuffer(), { httpMetadata: { contentType } });
      return new Response();
    }
    const stored = await StoredImage.find(FILES, KEY);
    if (stored === undefined) return new Response(null, { status: 404 });
    if (pathname === "/whole") return new Response(await stored.open());
    const { image, readBytes } = pathname === "/counted" ? counted(stored) : { image: stored, readBytes: () => 0 };
    const answer = await new MediaProcessor(undefined, "", CODECS).preview(image);
    if (answer.outcome !== "made") return Response.json(answer, { status: 422 });
    return new Response(answer.webp, { headers: { "bytes-read": String(readBytes()) } });
  },
};

/** Counts the bytes that have left R2, read or still on their way. */
function counted(stored: StoredImage): { image: SourceImage; readBytes: () => number } {
  const { type, sizeBytes } = stored;
  let bytes = 0;
  const open = async () => {
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length;
        controller.enqueue(piece);
      },
    });
    return (await stored.open()).pipeThrough(counter);
  };
  return { image: { type, sizeBytes, open }, readBytes: () => bytes };
}
