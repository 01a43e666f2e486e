import { DurableObject } from "cloudflare:workers";
import worker from "../../../src/worker.ts";

/** The API Worker with a stand-in for the one class that cannot be constructed here. */

/** The CDN Worker's, for tests that look into one: these see the objects of their own Worker only. */
export { ViewJournal } from "../../../src/cdn/view-journal.ts";
export { AccountMeter } from "../../../src/meter/account-meter.ts";
export { AddressMeter } from "../../../src/meter/address-meter.ts";
export { Reconciler } from "../../../src/meter/reconciler.ts";
export { ServiceMeter } from "../../../src/meter/service-meter.ts";

/** A Container that never comes up. */
export class MediaContainer extends DurableObject {
  override async fetch(): Promise<Response> {
    return new Response(null, { status: 503 });
  }
}

export default worker;
