import type { Codecs } from "../../../src/codecs/worker.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { parseVariant } from "../../../src/domain/variants/parse-variant.ts";
import { variantFor } from "../../../src/domain/variants/variant.ts";

/**
 * The product's variants without the product around them. `PUT /` stores a file; `GET /?w=640...` makes a variant of it, and
 * `GET /<key>?w=640...` of another object of the bucket; `GET /whole` reads the file and makes nothing; `GET /ping` does nothing.
 */

interface BenchEnv {
  readonly CODECS: Service<typeof Codecs>;
  readonly FILES: R2Bucket;
}

const KEY = "file";

export default {
  async fetch(request: Request, { CODECS, FILES }: BenchEnv): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (request.method === "PUT") {
      const contentType = request.headers.get("Content-Type") ?? "";
      await FILES.put(KEY, await request.arrayBuffer(), { httpMetadata: { contentType } });
      return new Response();
    }
    if (pathname === "/ping") return new Response();
    const isOther = pathname !== "/" && pathname !== "/whole";
    const file = await FILES.get(isOther ? pathname.slice(1) : KEY);
    if (file === null) return new Response(null, { status: 404 });
    if (pathname === "/whole") return new Response(file.body);
    const type = file.httpMetadata?.contentType as MediaType;
    const parsed = parseVariant(search.slice(1));
    if (parsed === undefined || "errors" in parsed) return Response.json(parsed, { status: 400 });
    const variant = variantFor(parsed.request, { sourceType: type, accepted: { webp: false, avif: false } });
    using answer = await CODECS.variant({ type, sizeBytes: file.size, variant }, file.body);
    if (answer.outcome !== "made") return Response.json({ ...answer }, { status: 422 });
    return new Response(answer.bytes);
  },
};
