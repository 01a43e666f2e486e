import { DurableObject } from "cloudflare:workers";
import worker from "../../../src/worker.ts";

/** The API Worker with a stand-in for the one class that cannot be constructed here. */

export { AccountMeter } from "../../../src/meter/account-meter.ts";
export { AddressMeter } from "../../../src/meter/address-meter.ts";

/** A Container that never comes up. */
export class MediaContainer extends DurableObject {
  override async fetch(): Promise<Response> {
    return new Response(null, { status: 503 });
  }
}

export default worker;
