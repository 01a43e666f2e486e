import type { AlertChannel } from "./alerts.ts";
import type { VariantOrdered } from "./variants/variant-order.ts";

/**
 * A view of a stored file that counts as a Class B operation. The CDN Worker sends it if no journal has confirmed it;
 * older CDN Workers always send it. Times are in milliseconds.
 */
export interface FileViewed {
  readonly type: "file.viewed";
  /** The same in every copy of one view. The earliest CDN Workers send none. */
  readonly viewId?: string;
  readonly accountId: string;
  readonly objectKey: string;
  readonly viewedAt: number;
}

/**
 * Views that a journal of the CDN Worker has collected. A sequence that is sent again holds the same views. Sent as a
 * structured clone (Queues documentation, "Content types", v8), because it holds bytes.
 */
export interface ViewsCollected {
  readonly type: "views.collected";
  /** Unique for each journal, even if a later journal reuses an earlier one's name. */
  readonly journal: string;
  readonly sequence: number;
  /** Packs by account id, as `packViews` makes them. */
  readonly packs: ReadonlyMap<string, Uint8Array>;
}

/** A file was stored: a video, whose thumbnail can be made, or an image whose placeholder is not made yet. */
export interface UploadStored {
  readonly type: "upload.stored";
  readonly accountId: string;
  readonly uploadId: string;
  readonly objectKey: string;
  readonly mimeType: string;
}

/** An alert has to be mailed. Each attempt has its own message. */
export interface AlertRaised {
  readonly type: "alert.raised";
  readonly accountId: string;
  readonly alertId: string;
  readonly channel: AlertChannel;
  /** The number of the attempt, from 1. The attempt is made once, even if its message is delivered again. */
  readonly attempt: number;
}

/** Events have to be sent to a webhook. The account's object has them, so one message stands for many. */
export interface EventsDue {
  readonly type: "events.due";
  readonly accountId: string;
  /** The webhook's name. */
  readonly webhook: string;
  /** The number of the run. An earlier run's message does nothing. */
  readonly run: number;
}

/** A mail has to be sent. The message has no secret: mails whose link proves something have another kind of message. */
export interface MailRequested {
  readonly type: "mail.requested";
  /** An e-mail address. */
  readonly to: string;
  /** A name of `services/mail/templates`. */
  readonly template: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** The start of links, without a trailing slash. */
  readonly origin: string;
}

/**
 * A mail has to be sent whose link proves that its user reads the mail. The consumer makes the link, so the message has no secret.
 * `changeId` is the id of an e-mail change.
 */
export type ProofRequested = {
  readonly type: "proof.requested";
  /** The start of links, without a trailing slash. */
  readonly origin: string;
} & (
  | { readonly purpose: "verify-email"; readonly accountId: string }
  | { readonly purpose: "reset-password"; readonly email: string }
  | {
      readonly purpose: "confirm-old-email" | "confirm-new-email";
      readonly accountId: string;
      readonly changeId: string;
    }
);

/**
 * The moderation hook has to judge an upload: a stored image, or a video that has a thumbnail. Only installations with a hook send this
 * message.
 */
export interface ModerationRequested {
  readonly type: "moderation.requested";
  readonly accountId: string;
  readonly uploadId: string;
}

/**
 * An account has items of imports to fetch. The consumer asks the account's object for them, so a message that arrives twice fetches nothing
 * twice.
 */
export interface ImportDue {
  readonly type: "import.due";
  readonly accountId: string;
}

export type QueueMessage =
  | FileViewed
  | ViewsCollected
  | UploadStored
  | VariantOrdered
  | AlertRaised
  | EventsDue
  | MailRequested
  | ProofRequested
  | ModerationRequested
  | ImportDue;

/** The queues' names for the operator. The account's queue names are prefixed with the installation's name. */
const QUEUE_NAMES = [
  "uploads",
  "uploads-dead",
  "views",
  "views-dead",
  "alerts",
  "alerts-dead",
  "mails",
  "mails-dead",
  "moderation",
  "moderation-dead",
  "imports",
  "imports-dead",
] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
