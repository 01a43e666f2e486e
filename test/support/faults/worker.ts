import { DurableObject } from "cloudflare:workers";
import { AccountMeter as RealAccountMeter } from "../../../src/meter/account-meter.ts";
import { AddressMeter as RealAddressMeter } from "../../../src/meter/address/address-meter.ts";
import worker from "../../../src/worker.ts";
import { rpcMethods } from "../rpc-methods.ts";
import { watchedEnv } from "../shards/watched-env.ts";
import "./faults.ts";
import { faultyEnv } from "./faulty-env.ts";

/** The API Worker and its Durable Objects on bindings that fail and shards that are watched, and a client that repeats a 503 as asked. */

export { VariantMaker } from "../../../src/cdn/variants/variant-maker.ts";
export { ViewJournal } from "../../../src/cdn/view-journal.ts";
export { Reconciler } from "../../../src/meter/reconcile/reconciler.ts";
export { ServiceMeter } from "../../../src/meter/service/service-meter.ts";

/** The number of a client's tries, and the largest body that it can send again: a longer body, or one of unknown length, is a stream. */
const CLIENT_ATTEMPTS = 6;
const REPEATED_BYTES = 1_000_000;

export class AccountMeter extends RealAccountMeter {
  readonly given = this.env;

  constructor(state: DurableObjectState, env: Env) {
    super(state, faultyEnv(watchedEnv(env), faults));
  }
}

export class AddressMeter extends RealAddressMeter {
  readonly given = this.env;
}

export class MediaContainer extends DurableObject {
  override async fetch(): Promise<Response> {
    return new Response(null, { status: 503 });
  }
}

interface Resettable {
  readonly ctx: DurableObjectState;
  readonly env: Env;
  /** The bindings of its construction. */
  readonly given: Env;
}

/** Resets an object for real when `faulty-env.ts` marks it: in the middle of a call, or when all is written but not answered. */
function resetAtRandom(theClass: { readonly prototype: object }, real: { readonly prototype: object }): void {
  for (const name of rpcMethods(real)) {
    const method = (real.prototype as Readonly<Record<string, (...args: unknown[]) => unknown>>)[name];
    Object.defineProperty(theClass.prototype, name, {
      value: async function (this: Resettable, ...args: unknown[]) {
        const objectName = this.ctx.id.name ?? "";
        const moment = faults.doomed.get(objectName);
        faults.doomed.delete(objectName);
        // An object with replaced stores (`replaceStores`) would lose them.
        if (moment === undefined || this.env !== this.given) return method?.apply(this, args);
        const reset = () => this.ctx.abort("Durable Object reset because its code was updated.");
        const resetting = moment === "before" ? setTimeout(reset, faults.pick([0, 0, 1, 5, 20])) : undefined;
        const result: unknown = await method?.apply(this, args);
        // The reset must not come later, because the next call may be the test's own.
        clearTimeout(resetting);
        reset();
        return result;
      },
    });
  }
}

resetAtRandom(AccountMeter, RealAccountMeter);
resetAtRandom(AddressMeter, RealAddressMeter);

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { url, method, headers } = request;
    const isRepeatable = request.body === null || Number(headers.get("Content-Length") ?? Infinity) <= REPEATED_BYTES;
    if (!isRepeatable) return worker.fetch(request, faultyEnv(watchedEnv(env), faults), ctx);
    const body = request.body === null ? null : await request.arrayBuffer();
    for (let attempt = 1; ; attempt++) {
      const response = await worker.fetch(
        // A request from a client is passed on to the CDN Worker with its redirects.
        new Request(url, { method, headers, body, redirect: "manual" }),
        faultyEnv(watchedEnv(env), faults),
        ctx,
      );
      if (response.status !== 503 || attempt === CLIENT_ATTEMPTS) return response;
      const answer = await response.clone().json<{ details?: { retryAfter?: number } }>();
      if (answer.details?.retryAfter === undefined) return response;
    }
  },
  queue: (batch: MessageBatch, env: Env) => worker.queue(batch, faultyEnv(watchedEnv(env), faults)),
};
