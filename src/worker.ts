import { DurableObject } from "cloudflare:workers";
export class AccountMeter extends DurableObject {
  async ping() {
    return "pong";
  }
}
export class AddressMeter extends DurableObject {}
export default {
  async fetch(req: Request, env: any) {
    const s = env.ACCOUNT_METER.getByName("x");
    const r = await env.DB.prepare("select count(*) c from accounts").first();
    return Response.json([await s.ping(), r, await (await env.CDN.fetch(req)).text()]);
  },
  async queue() {},
};
