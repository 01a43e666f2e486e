import { ALERT_CHANNELS } from "../domain/alerts.ts";
import { isId } from "../domain/ids.ts";
import { MEDIA_TYPES } from "../domain/media-types.ts";
import { parseObjectKey } from "../domain/object-key.ts";
import type { QueueMessage } from "../domain/queue-messages.ts";
import { isVariantOrder } from "../domain/variants/variant-order.ts";
import { isMailTemplate } from "../services/mail/templates/index.ts";

type Fields = Partial<Record<string, unknown>>;

/** The fields that each kind of message must have. */
const IS_WHOLE: Readonly<Record<QueueMessage["type"], (fields: Fields) => boolean>> = {
  "file.viewed": ({ viewId = "", accountId, objectKey, viewedAt }) =>
    typeof viewId === "string" &&
    isAccountId(accountId) &&
    typeof objectKey === "string" &&
    Number.isSafeInteger(viewedAt),
  "views.collected": ({ journal, sequence, packs }) =>
    typeof journal === "string" &&
    Number.isSafeInteger(sequence) &&
    packs instanceof Map &&
    Array.from(packs).every(([accountId, pack]) => isAccountId(accountId) && pack instanceof Uint8Array),
  "upload.stored": ({ accountId, uploadId, objectKey, mimeType }) => {
    const named = typeof objectKey === "string" ? parseObjectKey(objectKey) : undefined;
    const isOurs = isAccountId(accountId) && named?.accountId === accountId && named?.uploadId === uploadId;
    return isOurs && typeof mimeType === "string" && MEDIA_TYPES.some((known) => known === mimeType);
  },
  "variant.ordered": isVariantOrder,
  "alert.raised": ({ accountId, alertId, channel, attempt }) =>
    isAccountId(accountId) &&
    typeof alertId === "string" &&
    ALERT_CHANNELS.some((each) => each === channel) &&
    Number.isSafeInteger(attempt),
  "events.due": ({ accountId, webhook, run }) =>
    isAccountId(accountId) && typeof webhook === "string" && Number.isSafeInteger(run),
  "moderation.requested": ({ accountId, uploadId }) =>
    isAccountId(accountId) && typeof uploadId === "string" && isId(uploadId),
  "import.due": ({ accountId }) => isAccountId(accountId),
  "mail.requested": ({ to, template, values, origin }) =>
    typeof to === "string" &&
    isMailTemplate(template) &&
    typeof values === "object" &&
    values !== null &&
    typeof origin === "string",
  "proof.requested": ({ purpose, accountId, email, changeId, origin }) => {
    if (typeof origin !== "string") return false;
    if (purpose === "reset-password") return typeof email === "string";
    const isOfChange = purpose === "confirm-old-email" || purpose === "confirm-new-email";
    return isAccountId(accountId) && (purpose === "verify-email" || (isOfChange && typeof changeId === "string"));
  },
};

/** A queue's message; undefined if it is malformed or of an unknown kind. */
export function parseMessage(body: unknown): QueueMessage | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const fields = body as Fields;
  return isKind(fields.type) && IS_WHOLE[fields.type](fields) ? (body as QueueMessage) : undefined;
}

function isKind(type: unknown): type is QueueMessage["type"] {
  return typeof type === "string" && Object.hasOwn(IS_WHOLE, type);
}

function isAccountId(id: unknown): id is string {
  return typeof id === "string" && isId(id);
}
