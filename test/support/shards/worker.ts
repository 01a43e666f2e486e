import { DurableObject } from "cloudflare:workers";
import { AccountMeter as RealAccountMeter } from "../../../src/meter/account-meter.ts";
import worker from "../../../src/worker.ts";
import { watchedEnv } from "./watched-env.ts";

/** The API Worker and its Durable Objects on shards that are watched. */

export { VariantMaker } from "../../../src/cdn/variants/variant-maker.ts";
export { ViewJournal } from "../../../src/cdn/view-journal.ts";
export { AddressMeter } from "../../../src/meter/address/address-meter.ts";
export { Reconciler } from "../../../src/meter/reconcile/reconciler.ts";
export { ServiceMeter } from "../../../src/meter/service/service-meter.ts";

export class AccountMeter extends RealAccountMeter {
  constructor(state: DurableObjectState, env: Env) {
    super(state, watchedEnv(env));
  }
}

export class MediaContainer extends DurableObject {
  override async fetch(): Promise<Response> {
    return new Response(null, { status: 503 });
  }
}

export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) => worker.fetch(request, watchedEnv(env), ctx),
  queue: (batch: MessageBatch, env: Env) => worker.queue(batch, watchedEnv(env)),
};
