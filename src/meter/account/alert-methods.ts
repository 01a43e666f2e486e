import type { DeliveryOutcome } from "../../domain/alerts.ts";
import type { BegunDelivery, Delivery, DueDelivery, ListedAlert } from "../alert.ts";
import type { StoredWebhook } from "../webhook-store.ts";
import { UsageMethods } from "./usage-methods.ts";

/** Usage alerts, and the webhook that they are sent to. */
export abstract class AlertMethods extends UsageMethods {
  /** The usage alerts of the last year, newest first. */
  async listAlerts(): Promise<ListedAlert[]> {
    return this.books.ledger.alerts.list();
  }

  /** Where alerts are sent, with what is still to come of its last delivery. Undefined where nothing was set. */
  async findWebhook(): Promise<{ webhook: StoredWebhook; lastDelivery: Delivery | undefined } | undefined> {
    const { alerts } = this.books.ledger;
    const webhook = alerts.webhook.find();
    if (webhook === undefined) return undefined;
    const lastDelivery = webhook.last === null ? undefined : alerts.deliveries.find(webhook.last.alertId, "webhook");
    return { webhook, lastDelivery };
  }

  /**
   * From this call on alerts are sent there, those too that the webhook before did not take.
   * @returns false where the account is no more
   */
  async putWebhook(webhook: Pick<StoredWebhook, "id" | "url">): Promise<boolean> {
    if (!(await this.load()) || this.books.erasing) return false;
    this.ctx.storage.transactionSync(() => this.books.ledger.alerts.putWebhook(webhook, Date.now()));
    return true;
  }

  /** From this call on alerts are sent nowhere. */
  async deleteWebhook(): Promise<void> {
    this.ctx.storage.transactionSync(() => this.books.ledger.alerts.deleteWebhook());
  }

  /** Begins an attempt to deliver an alert. Undefined where it was begun before, or there is nothing to deliver any more. */
  async beginDelivery(delivery: DueDelivery): Promise<BegunDelivery | undefined> {
    if (!this.books.ledger.exists || this.books.erasing) return undefined;
    return this.ctx.storage.transactionSync(() => this.books.ledger.alerts.begin(delivery, Date.now()));
  }

  /** Notes what became of the attempt; the alarm announces the next one. @param webhookId where it was made to one */
  async endDelivery(delivery: DueDelivery, outcome: DeliveryOutcome, webhookId: string | undefined): Promise<void> {
    if (!this.books.ledger.exists) return;
    this.ctx.storage.transactionSync(() => this.books.ledger.alerts.end(delivery, outcome, webhookId, Date.now()));
    await this.runner.scheduleAlarm();
  }
}
