import { createApp } from "./app.ts";
import { consume } from "./jobs/consume.ts";
import type { QueueMessage } from "./jobs/messages.ts";

export { AccountMeter } from "./account/account-meter.ts";
export { AddressMeter } from "./account/address-meter.ts";
export { MediaContainer } from "./processor/media-container.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  queue: consume,
} satisfies ExportedHandler<Env, QueueMessage>;
