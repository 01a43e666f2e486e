/** The minimum for a range request: one R2 call. No errors, no conditions, no headers beyond the range's. */
export default {
  async fetch(request: Request, env: { FILES: R2Bucket }): Promise<Response> {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("Range") ?? "") ?? [];
    const offset = Number(first);
    const length = Number(last) - offset + 1;
    const object = await env.FILES.get(new URL(request.url).pathname.slice(1), { range: { offset, length } });
    if (object === null) return new Response(null, { status: 404 });
    return new Response(object.body, {
      status: 206,
      headers: { "Content-Range": `bytes ${offset}-${offset + length - 1}/${object.size}` },
    });
  },
};
