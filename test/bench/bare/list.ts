import { DurableObject } from "cloudflare:workers";

interface BareEnv {
  readonly DB: D1Database;
  readonly PING: DurableObjectNamespace<Ping>;
}

/** The minimum for an authenticated listing: one call of a Durable Object and one indexed query. */
export default {
  async fetch(request: Request, env: BareEnv): Promise<Response> {
    const accountId = new URL(request.url).pathname.slice(1);
    await env.PING.getByName(accountId).ping();
    const { results } = await env.DB.prepare(
      `SELECT * FROM uploads WHERE account_id = ? AND status = 'active' AND folder_id IS NULL ORDER BY number DESC LIMIT 50`,
    )
      .bind(accountId)
      .all();
    return Response.json(results);
  },
};

export class Ping extends DurableObject<BareEnv> {
  async ping(): Promise<number> {
    return this.ctx.storage.sql.exec<{ answer: number }>("SELECT 1 AS answer").one().answer;
  }
}
