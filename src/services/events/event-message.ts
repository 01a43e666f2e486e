import { objectUrl } from "../../domain/object-key.ts";
import type { EventFacts, StoredEvent } from "../../meter/events/event.ts";
import { toAlertFacts } from "../alerts/alert-facts.ts";
import { toMediaObject } from "../images/to-media-object.ts";
import { toImportFacts } from "../imports/import-facts.ts";

/** The content of an event's message (Standard Webhooks, "Payload structure"), the same in each try. */
export function toEventMessage(
  { type, at, facts }: StoredEvent,
  owner: { readonly accountId: string; readonly cdnUrl: string },
) {
  return { type, timestamp: new Date(at).toISOString(), data: toData(facts, owner) };
}

/** No field is a secret. */
function toData(
  facts: EventFacts,
  { accountId, cdnUrl }: { readonly accountId: string; readonly cdnUrl: string },
): Record<string, unknown> {
  switch (facts.kind) {
    case "upload":
      return toMediaObject({ ...facts.row, accountId }, cdnUrl);
    case "import":
      return toImportFacts(facts.found);
    case "alert":
      return { ...toAlertFacts(facts.alert) };
    case "deleted": {
      const { uploadId, objectKey, sizeBytes } = facts;
      const file = objectKey === undefined ? {} : { url: objectUrl(cdnUrl, objectKey), filename: objectKey };
      return { _id: uploadId, ...file, ...(sizeBytes !== undefined && { fileSize: sizeBytes }) };
    }
  }
}
