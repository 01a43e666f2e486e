import worker from "../../worker.ts";

export * from "../../worker.ts";

/**
 * The API Worker of a local stack. `wrangler dev` breaks the connection of a request whose body is not read to its end, as after a 413 or a 429.
 * It reads the rest of the body only in a Worker that it bundles itself, and here this Worker does.
 */
export default {
  ...worker,
  async fetch(request, env, ctx) {
    try {
      return await worker.fetch(request, env, ctx);
    } finally {
      await drain(request).catch(() => undefined);
    }
  },
} satisfies ExportedHandler<Env>;

/** @throws if the client breaks off */
async function drain({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed) return;
  const reader = body.getReader();
  while (!(await reader.read()).done);
}
