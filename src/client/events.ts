import type { CallOptions } from "./connection.ts";
import type { Client } from "./index.ts";
import { toListing } from "./listing.ts";
import type {
  Event,
  EventPage,
  ListedWebhookDelivery,
  Message,
  NamedWebhook,
  NamedWebhookChange,
  NewNamedWebhook,
  WebhookDelivery,
  WebhookTest,
} from "./types.ts";

/** The start of a page of events: a `cursor`, or without it the oldest event, the last `limit` events, or the next event. */
export interface EventQuery {
  readonly cursor?: string | undefined;
  readonly from?: "oldest" | "recent" | "now" | undefined;
  readonly limit?: number | undefined;
}

/** The events and webhooks of an account: `createEvents`. */
export type Events = ReturnType<typeof createEvents>;

/** The calls for events and webhooks of a client's account. They are apart from the client, because pages seldom need them. */
export function createEvents({ connection }: Pick<Client, "connection">) {
  const webhook = (name: string) => `/settings/webhooks/${encodeURIComponent(name)}`;
  const deliveries = (name: string) => `${webhook(name)}/deliveries`;
  return {
    /**
     * A page of events, oldest first. Later calls continue with its `resumeCursor`, also after the newest event. The first call turns events
     * on.
     */
    page: (query?: EventQuery, call?: CallOptions) => connection.call<EventPage>("GET", "/events", { ...call, query }),
    /** Iterates over the events of the last 30 days, oldest first. */
    all: (query?: EventQuery, call?: CallOptions) =>
      toListing<Event, EventPage>(connection, "/events", { ...call, query }),
    webhooks: {
      /** Iterates over the webhooks, by name. */
      all: (call?: CallOptions) => toListing<NamedWebhook>(connection, "/settings/webhooks", call),
      get: (name: string, call?: CallOptions) => connection.call<NamedWebhook>("GET", webhook(name), call),
      /** Adds or changes a webhook. The answer shows its new secret once. */
      set: (name: string, body: NamedWebhookChange, call?: CallOptions) =>
        connection.call<NewNamedWebhook>("PUT", webhook(name), { ...call, body }),
      delete: (name: string, call?: CallOptions) => connection.call<Message | undefined>("DELETE", webhook(name), call),
      /** Sends a message of the type `webhook.test`. */
      test: (name: string, call?: CallOptions) => connection.call<WebhookTest>("POST", `${webhook(name)}/test`, call),
      /** Iterates over the last 100 tries, newest first. */
      deliveries: (name: string, call?: CallOptions) =>
        toListing<ListedWebhookDelivery>(connection, deliveries(name), call),
      /** Sends the message of a delivery again. */
      redeliver: (name: string, id: string, call?: CallOptions) =>
        connection.call<WebhookDelivery>("POST", `${deliveries(name)}/${encodeURIComponent(id)}/redeliver`, call),
    },
  };
}
