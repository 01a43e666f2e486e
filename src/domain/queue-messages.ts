import type { AlertChannel } from "./alerts.ts";

/** What the queues carry: past-tense facts, one tagged union. */

/**
 * A view of a stored file that counts as a Class B operation; sent by the CDN Worker where no journal has surely taken it, and
 * by CDN Workers of an earlier version. Times in milliseconds.
 */
export interface FileViewed {
  readonly type: "file.viewed";
  /** The same for whatever was sent or journaled of one view. The earliest CDN Workers have none. */
  readonly viewId?: string;
  readonly accountId: string;
  readonly objectKey: string;
  readonly viewedAt: number;
}

/**
 * Views that a journal of the CDN Worker has collected. Whatever is sent again of a journal's sequence has the same views. Sent as
 * a structured clone (Queues documentation, "Content types", v8), for it holds bytes.
 */
export interface ViewsCollected {
  readonly type: "views.collected";
  /** No two journals have the same, also where one has the name of another that is no more. */
  readonly journal: string;
  readonly sequence: number;
  /** By account id, as `packViews` makes them. */
  readonly packs: ReadonlyMap<string, Uint8Array>;
}

/** A video was stored and settled; whoever makes its thumbnail starts from this. */
export interface UploadStored {
  readonly type: "upload.stored";
  readonly accountId: string;
  readonly uploadId: string;
  readonly objectKey: string;
  readonly mimeType: string;
}

/** An alert has to go one of its ways; each attempt is announced by itself. */
export interface AlertRaised {
  readonly type: "alert.raised";
  readonly accountId: string;
  readonly alertId: string;
  readonly channel: AlertChannel;
  /** From 1. It is made once, however often its message comes. */
  readonly attempt: number;
}

export type QueueMessage = FileViewed | ViewsCollected | UploadStored | AlertRaised;

/** The queues, as the operator knows them; in the account their names begin with the installation's. */
export const QUEUE_NAMES = ["uploads", "uploads-dead", "views", "views-dead", "alerts", "alerts-dead"] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
