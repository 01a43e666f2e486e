import { TwoBuffers } from "./two-buffers.ts";

/** The same R2 multipart upload over several requests. Its client remembers the state. */

const PART_BYTES = 8 * 1024 * 1024;

export default {
  async fetch(request: Request, env: { FILES: R2Bucket }): Promise<Response> {
    const url = new URL(request.url);
    const key = url.pathname.slice(1);
    const uploadId = url.searchParams.get("uploadId") ?? "";
    switch (request.method) {
      case "POST":
        return Response.json({ uploadId: (await env.FILES.createMultipartUpload(key)).uploadId });
      case "PATCH":
        return Response.json(await sendParts(env.FILES.resumeMultipartUpload(key, uploadId), request));
      case "PUT": {
        const { size } = await env.FILES.resumeMultipartUpload(key, uploadId).complete(await request.json());
        return Response.json({ sizeBytes: size });
      }
      default:
        await env.FILES.delete(key);
        return new Response(null, { status: 204 });
    }
  },
};

async function sendParts(upload: R2MultipartUpload, request: Request): Promise<R2UploadedPart[]> {
  const after = Number(new URL(request.url).searchParams.get("after"));
  const sizeBytes = Number(request.headers.get("Content-Length"));
  const source = new TwoBuffers(request.body as ReadableStream);
  const parts: Promise<R2UploadedPart>[] = [];
  for (let offset = 0; offset < sizeBytes; offset += PART_BYTES) {
    // Two parts are being sent: the end of one, the beginning of the next.
    await parts.at(-2);
    const partBytes = Math.min(PART_BYTES, sizeBytes - offset);
    const { readable, writable } = new FixedLengthStream(partBytes);
    parts.push(upload.uploadPart(after + parts.length + 1, readable));
    await source.fill(writable, partBytes);
  }
  return Promise.all(parts);
}
