import { createApp } from "./app.ts";
import type { QueueMessage } from "./domain/queue-messages.ts";
import { consume } from "./jobs/consume.ts";
import { startNightly } from "./jobs/start-nightly.ts";

/** Lets `serveSource` answer the Container's requests. */
export { ContainerProxy } from "@cloudflare/containers";
export { AccountMeter } from "./meter/account-meter.ts";
export { AddressMeter } from "./meter/address/address-meter.ts";
export { Reconciler } from "./meter/reconcile/reconciler.ts";
export { ServiceMeter } from "./meter/service/service-meter.ts";
export { MediaContainer } from "./processor/media-container.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: startNightly,
} satisfies ExportedHandler<Env, QueueMessage>;
