import type { MeterPart } from "../design/meter.tsx";

interface Figures {
  readonly used: number;
  readonly limit: number;
}

interface Known {
  readonly storage: Figures & { readonly images?: number; readonly videos?: number; readonly trash?: number };
  readonly files: { readonly trashedBytes: number };
}

const NEARLY_FULL = 0.95;

/** The storage bar's parts: images, videos and trash where the service tells them, else what is in the trash and the rest. */
export function toStorageParts(figures: Figures, known: Known | undefined): readonly MeterPart[] {
  const isFull = figures.used >= figures.limit * NEARLY_FULL;
  if (known === undefined) return [{ title: "Files", value: figures.used, tone: isFull ? "danger" : "ink" }];
  const { images, videos, trash = known.files.trashedBytes } = known.storage;
  // The figures of the answers' headers are newer than the parts': their difference is shown with the first.
  const rest = Math.max(0, figures.used - trash);
  const first = isFull ? ("danger" as const) : ("ink" as const);
  const last = { title: "Trash", value: Math.min(trash, figures.used), tone: "warn" as const };
  if (images === undefined || videos === undefined) return [{ title: "Files", value: rest, tone: first }, last];
  const film = Math.min(videos, rest);
  return [{ title: "Images", value: rest - film, tone: first }, { title: "Videos", value: film, tone: "accent" }, last];
}
