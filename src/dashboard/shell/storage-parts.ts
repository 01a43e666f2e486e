import type { MeterPart } from "../design/meter.tsx";

interface Figures {
  readonly used: number;
}

interface Known {
  readonly storage: { readonly used: number; readonly images?: number; readonly trash?: number };
  readonly files: { readonly trashedBytes: number };
}

/** The storage bar's parts: images, videos with their thumbnails, and trash. If images are unknown: files and trash. */
export function toStorageParts({ used }: Figures, known: Known | undefined): readonly MeterPart[] {
  if (known === undefined) return [{ title: "Files", value: used }];
  const { images, trash = known.files.trashedBytes } = known.storage;
  // `used` comes from response headers and is newer than the parts, so the first part is adjusted by the difference.
  const rest = Math.max(0, used - trash);
  const last = { title: "Trash", value: Math.min(trash, used) };
  if (images === undefined) return [{ title: "Files", value: rest }, last];
  const film = Math.max(0, Math.min(known.storage.used - images - trash, rest));
  return [{ title: "Images", value: rest - film }, { title: "Videos", value: film }, last];
}
