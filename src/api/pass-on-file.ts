import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/** Forwards a file request to the CDN Worker, for deployments with one address for both. The body is not touched. */
export async function passOnFile(c: Context<AppEnv>): Promise<Response> {
  const answer = await c.env.CDN.fetch(c.req.raw);
  // A fetched answer's headers are immutable.
  return new Response(answer.body, answer);
}
