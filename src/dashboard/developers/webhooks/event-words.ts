import type { EventType } from "../../../domain/events.ts";

/** The events that a webhook can get, with their labels. */
export const EVENT_WORDS: readonly { readonly type: EventType; readonly title: string; readonly hint: string }[] = [
  { type: "upload.completed", title: "Upload completed", hint: "A file was stored and can be viewed." },
  { type: "thumbnail.ready", title: "Thumbnail ready", hint: "A video's thumbnail was made." },
  { type: "thumbnail.failed", title: "Thumbnail failed", hint: "A video's thumbnail could not be made." },
  { type: "image.updated", title: "File changed", hint: "Its name, folder, tags or visibility, for example." },
  { type: "image.trashed", title: "File moved to trash", hint: "It can be restored." },
  { type: "image.restored", title: "File restored", hint: "It left the trash." },
  { type: "image.deleted", title: "File deleted", hint: "It was deleted permanently." },
  { type: "import.finished", title: "Import finished", hint: "Each file of an import was stored or has failed." },
  {
    type: "usage.alert",
    title: "Usage alert",
    hint: "The operations reached 50, 80, 90 or 100 % of the month's limit.",
  },
];

/** A webhook's events in a line, such as `Upload completed, File changed`. */
export function eventsInWords(types: readonly EventType[]): string {
  if (types.length === EVENT_WORDS.length) return "All events";
  return EVENT_WORDS.filter(({ type }) => types.includes(type))
    .map(({ title }) => title)
    .join(", ");
}
