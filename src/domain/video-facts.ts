/** Video facts that the thumbnail maker reads. */
export interface VideoFacts {
  /** The display size, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Null if the file does not contain it. */
  readonly durationMs: number | null;
}

const NAMES = { width: "video-width", height: "video-height", durationMs: "video-duration-ms" };

/**
 * The facts as metadata of the stored thumbnail, so that a replay after a crash can record the thumbnail and the facts
 * in one write.
 */
export function toFactsMetadata({ width, height, durationMs }: VideoFacts): Record<string, string> {
  return {
    [NAMES.width]: String(width),
    [NAMES.height]: String(height),
    ...(durationMs === null ? {} : { [NAMES.durationMs]: String(durationMs) }),
  };
}

/** Video facts from the thumbnail's metadata; `{}` if absent. */
export function readFactsMetadata(metadata: Readonly<Record<string, string>> = {}): Partial<VideoFacts> {
  const [width, height] = [toCount(metadata[NAMES.width]), toCount(metadata[NAMES.height])];
  if (width === undefined || height === undefined) return {};
  return { width, height, durationMs: toCount(metadata[NAMES.durationMs]) ?? null };
}

function toCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
