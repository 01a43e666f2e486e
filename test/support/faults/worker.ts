import { DurableObject } from "cloudflare:workers";
import { AccountMeter as RealAccountMeter } from "../../../src/meter/account-meter.ts";
import { AddressMeter as RealAddressMeter } from "../../../src/meter/address-meter.ts";
import worker from "../../../src/worker.ts";
import { Faults } from "./faults.ts";
import { faultyEnv } from "./faulty-env.ts";

/** The API Worker and its Durable Objects on bindings that fail, and a client that does as it is told: it tries a 503 again. */

declare global {
  /** One for the isolate, in which tests, Worker and Durable Objects run. */
  var faults: Faults;
}

globalThis.faults ??= new Faults(20_261_122);

/** How often a client tries. */
const CLIENT_ATTEMPTS = 6;

export class AccountMeter extends RealAccountMeter {
  constructor(state: DurableObjectState, env: Env) {
    super(state, faultyEnv(env, faults));
  }
}

export class AddressMeter extends RealAddressMeter {}

export class MediaContainer extends DurableObject {
  override async fetch(): Promise<Response> {
    return new Response(null, { status: 503 });
  }
}

const SPARED = new Set(["constructor", "alarm", "fetch"]);

/** Resets an object for real, where `faulty-env.ts` says so: somewhere in a call, or when all is written but not answered. */
function resetAtRandom(theClass: { readonly prototype: object }, real: { readonly prototype: object }): void {
  for (const name of Object.getOwnPropertyNames(real.prototype).filter((name) => !SPARED.has(name))) {
    const method: unknown = Object.getOwnPropertyDescriptor(real.prototype, name)?.value;
    if (typeof method !== "function") continue;
    Object.defineProperty(theClass.prototype, name, {
      value: async function (this: { readonly ctx: DurableObjectState }, ...args: unknown[]) {
        const objectName = this.ctx.id.name ?? "";
        const moment = faults.doomed.get(objectName);
        faults.doomed.delete(objectName);
        const reset = () => this.ctx.abort("Durable Object reset because its code was updated.");
        if (moment === "before") setTimeout(reset, faults.pick([0, 0, 1, 5, 20]));
        const result: unknown = await method.apply(this, args);
        if (moment === "after") reset();
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
    const body = request.body === null ? null : await request.arrayBuffer();
    for (let attempt = 1; ; attempt++) {
      const response = await worker.fetch(new Request(url, { method, headers, body }), faultyEnv(env, faults), ctx);
      if (response.status !== 503 || attempt === CLIENT_ATTEMPTS) return response;
      const answer = await response.clone().json<{ details?: { retryAfter?: number } }>();
      if (answer.details?.retryAfter === undefined) return response;
    }
  },
  queue: (batch: MessageBatch, env: Env) => worker.queue(batch, faultyEnv(env, faults)),
};
