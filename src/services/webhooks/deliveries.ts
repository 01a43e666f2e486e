import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { ListedDelivery, StoredEvent } from "../../meter/events/event.ts";
import type { AccountContext } from "../context.ts";
import { toEventMessage } from "../events/event-message.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";
import { getWebhook, post, takeTest } from "./webhook.ts";

export interface DeliveryWithMessage extends ListedDelivery {
  /** The message's body; null if its event is older than 30 days. */
  readonly message: ReturnType<typeof toEventMessage> | null;
}

/** The last deliveries of a webhook, newest first. @throws ServiceError 404 */
export async function listDeliveries(
  account: AccountContext,
  name: string,
  query: PageQuery,
): Promise<Page<DeliveryWithMessage>> {
  const { deliveries, events } = await readDeliveries(account, name);
  const list = { name: "listDeliveries", accountId: account.accountId, filters: { name } };
  const page = await pageOfFew(account, query, { list, rows: deliveries, keyOf: ({ id }) => id, isDescending: true });
  const rows = page.rows.map((delivery) => {
    const event = events.get(delivery.place);
    return { ...delivery, message: event === undefined ? null : toMessage(account, event) };
  });
  return { rows, nextCursor: page.nextCursor };
}

/**
 * Sends the message of a delivery again, with the same `webhook-id`, and waits for the answer. The try is listed. It changes nothing for
 * other events, and the delivery's own tries continue.
 * @throws ServiceError 404 for an unknown webhook or delivery, or an event older than 30 days; 429 after too many tests
 */
export async function redeliver(account: AccountContext, name: string, deliveryId: string): Promise<ListedDelivery> {
  const webhook = await getWebhook(account, name);
  const { deliveries, events } = await readDeliveries(account, name);
  const found = deliveries.find(({ id }) => id === deliveryId);
  const event = found && events.get(found.place);
  if (found === undefined || event === undefined) throw ERRORS.DeliveryNotFound();
  await takeTest(account);
  const at = account.now();
  const outcome = await post(account, webhook, { id: event.id, body: JSON.stringify(toMessage(account, event)) });
  const { eventId, type, place } = found;
  const delivery = { id: newId(at), eventId, type, place, url: webhook.url, at, ...outcome };
  await account.meter.noteDelivery(name, delivery);
  return delivery;
}

/** @throws ServiceError 404 */
async function readDeliveries({ meter }: AccountContext, name: string) {
  const found = await meter.listDeliveries(name);
  if (found === undefined) throw ERRORS.WebhookNotFound();
  const deliveries: readonly ListedDelivery[] = found.deliveries;
  const events: readonly StoredEvent[] = found.events;
  // A run sends several messages at a time, and ids begin with the time of the try.
  const newestFirst = deliveries.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return { deliveries: newestFirst, events: new Map(events.map((event) => [event.place, event])) };
}

function toMessage({ accountId, config: { cdnUrl } }: AccountContext, event: StoredEvent) {
  return toEventMessage(event, { accountId, cdnUrl });
}
