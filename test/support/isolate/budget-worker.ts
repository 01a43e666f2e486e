import { MemoryBudget } from "../../../src/isolate/memory-budget.ts";

/** A Worker whose requests share a budget of 100 bytes. It takes `?bytes=` and holds them for `?ms=`. */
const budget = new MemoryBudget(100);

export default {
  async fetch(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const lease = await budget.take(Number(query.get("bytes")), Number(query.get("wait")));
    if (lease === undefined) return Response.json({ granted: false, freeBytes: budget.freeBytes });
    await new Promise((resolve) => setTimeout(resolve, Number(query.get("ms"))));
    // A timer and I/O of this request still work after a wait that another request has ended.
    const echo = await new Response(new Response("still here").body).text();
    lease.release();
    return Response.json({ granted: true, echo, freeBytes: budget.freeBytes });
  },
};
