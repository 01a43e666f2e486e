import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/** Has the CDN Worker answer: files pass through where one address serves both. Its body is not touched on the way. */
export async function passOnFile(c: Context<AppEnv>): Promise<Response> {
  const answer = await c.env.CDN.fetch(c.req.raw);
  // The headers of an answer that was fetched cannot be added to.
  return new Response(answer.body, answer);
}
