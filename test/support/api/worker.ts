import { DurableObject } from "cloudflare:workers";
import type { QueueMessage } from "../../../src/domain/queue-messages.ts";
import worker from "../../../src/worker.ts";

/** The API Worker with a stand-in for the one class that cannot be constructed here. */

/** The CDN Worker's classes, for tests that look into their objects: a test sees only its own Worker's objects. */
export { VariantBudget } from "../../../src/cdn/variants/variant-budget.ts";
export { VariantMaker } from "../../../src/cdn/variants/variant-maker.ts";
export { ViewJournal } from "../../../src/cdn/view-journal.ts";
export { AccountMeter } from "../../../src/meter/account-meter.ts";
export { AddressMeter } from "../../../src/meter/address/address-meter.ts";
export { Reconciler } from "../../../src/meter/reconcile/reconciler.ts";
export { ServiceMeter } from "../../../src/meter/service/service-meter.ts";

/** A Container that never starts. */
export class MediaContainer extends DurableObject {
  override async fetch(): Promise<Response> {
    return new Response(null, { status: 503 });
  }
}

const IMPORTS = "media-host-imports";

/** Only tests deliver imports (`deliverImport`). An earlier test's import would be fetched from the servers of another test. */
export default {
  ...worker,
  async queue(batch, env) {
    if (batch.queue === IMPORTS) return batch.ackAll();
    await worker.queue(batch, env);
  },
} satisfies ExportedHandler<Env, QueueMessage>;
