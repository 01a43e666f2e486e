/** The cost of an upload that the platform parses: the whole body is in memory. For comparison only. */
export default {
  async fetch(request: Request, env: { FILES: R2Bucket }): Promise<Response> {
    const key = new URL(request.url).pathname.slice(1);
    if (request.method === "DELETE") {
      await env.FILES.delete(key);
      return new Response(null, { status: 204 });
    }
    const file = (await request.formData()).get("file");
    if (!(file instanceof File)) return new Response(null, { status: 400 });
    await env.FILES.put(key, file);
    return Response.json({ key, sizeBytes: file.size }, { status: 201 });
  },
};
