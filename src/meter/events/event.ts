import { createHash } from "node:crypto";
import type { Upload } from "../../db/library/schema.ts";
import type { DeliveryError, DeliveryOutcome } from "../../domain/alerts.ts";
import type { ChangeEvent, DisabledReason, EventType, WebhookState } from "../../domain/events.ts";
import type { Alert } from "../alerts/alert.ts";
import type { UploadRow } from "../books/operation.ts";
import type { StoredImport } from "../imports/stored-import.ts";

/** The facts of an event's subject, from which the message's `data` is made. */
export type EventFacts =
  | { readonly kind: "upload"; readonly row: UploadRow }
  | { readonly kind: "deleted"; readonly uploadId: string; readonly objectKey?: string; readonly sizeBytes?: number }
  | { readonly kind: "import"; readonly found: StoredImport }
  | { readonly kind: "alert"; readonly alert: Alert };

/** An event of the stream. */
export interface StoredEvent {
  /** The place in the account's stream, from 1. */
  readonly place: number;
  /** Sent as `webhook-id`. */
  readonly id: string;
  readonly type: EventType;
  readonly at: number;
  readonly facts: EventFacts;
}

/** An event whose facts D1 has. */
export interface OpenEvent extends Omit<StoredEvent, "facts" | "place"> {
  readonly uploadId: string;
  /**
   * The digest of the upload before a change that was announced; `UNKNOWN_DIGEST` if another change may have come between. Undefined if the
   * change was made before the event was recorded.
   */
  readonly before?: string;
}

/** An upload that a request is about to change. */
export interface UploadToChange {
  readonly uploadId: string;
  /** `digestOf` its row. */
  readonly before: string;
}

export interface Announcement {
  readonly type: ChangeEvent;
  readonly uploads: readonly UploadToChange[];
}

/** The places of announced events. */
export interface AnnouncedPlaces {
  readonly first: number;
  readonly last: number;
}

/** The answer to an announcement. A call of a function that an object has returned belongs to the same RPC session, which is billed once. */
export interface AnnouncedChanges {
  /** The request has ended: D1 has its changes, if it made any. */
  readonly end: () => Promise<void>;
}

/** Parts of a row that the service fills in on its own. They change without a request. */
const OWN_FACTS: ReadonlySet<string> = new Set<keyof Upload>([
  "width",
  "height",
  "durationMs",
  "thumbnailSizeBytes",
  "placeholder",
  "takedown",
  "accountId",
]);

/** No upload has it, so an event with it is sent in any case. */
export const UNKNOWN_DIGEST = "";

/** Identifies the state of an upload. Two rows with the same digest have the same facts that a request can change. */
export function digestOf(row: Omit<Upload, "accountId">): string {
  const facts = Object.entries(row)
    .filter(([name]) => !OWN_FACTS.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 16);
}

/** A webhook of the account. Its secret is derived from its id (services/webhooks/post-webhook.ts) and not stored. */
export interface StoredWebhook {
  readonly name: string;
  /** A new id each time the webhook is set. */
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly createdAt: number;
  /** Null while it is in use. */
  readonly disabledAt: number | null;
  readonly disabledReason: DisabledReason | null;
  /** The time since which its receiver has accepted nothing; null if it accepts. */
  readonly failingSince: number | null;
  /** The next try; null if nothing failed. */
  readonly retryAt: number | null;
}

export interface ListedWebhook extends StoredWebhook {
  readonly state: WebhookState;
}

/** A due run: a bounded number of events for one webhook, which one consumer sends. */
export interface DueRun {
  readonly webhook: string;
  /** The number of the run. An earlier run's message does nothing. */
  readonly run: number;
}

/** The events and the receiver of a run that has begun. */
export interface BegunRun {
  readonly webhookId: string;
  readonly url: string;
  /** The start of files' URLs if the installation has no configured one. */
  readonly filesUrl: string;
  /** In the order of the stream. Of one upload's events each is sent after the one before was accepted. */
  readonly events: readonly StoredEvent[];
}

/** The result of one try. */
export interface DeliveryResult extends DeliveryOutcome {
  readonly place: number;
  readonly at: number;
  readonly durationMs: number;
  /** The start of the receiver's answer. */
  readonly answer: string;
}

/** A try that is listed. */
export interface ListedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: EventType;
  readonly place: number;
  readonly url: string;
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: DeliveryError | null;
  readonly answer: string;
}

/** The subject of an event: an upload, an import or an alert. The events of one subject are delivered in order. */
export function subjectOf({ id, facts }: Pick<StoredEvent, "id" | "facts">): string {
  switch (facts.kind) {
    case "upload":
      return facts.row.id;
    case "deleted":
      return facts.uploadId;
    case "import":
      return facts.found.id;
    case "alert":
      return id;
  }
}
