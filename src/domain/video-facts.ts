/** What the thumbnail's maker learns of a video. */
export interface VideoFacts {
  /** The display size, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Null where the file does not tell. */
  readonly durationMs: number | null;
}

const NAMES = { width: "video-width", height: "video-height", durationMs: "video-duration-ms" };

/**
 * The facts as metadata of the stored thumbnail. They are kept with it, so that whoever records the thumbnail, a replay after a crash
 * too, can record them in the same write.
 */
export function toFactsMetadata({ width, height, durationMs }: VideoFacts): Record<string, string> {
  return {
    [NAMES.width]: String(width),
    [NAMES.height]: String(height),
    ...(durationMs === null ? {} : { [NAMES.durationMs]: String(durationMs) }),
  };
}

/** What a stored thumbnail's metadata says of its video; empty where that is nothing. */
export function readFactsMetadata(metadata: Readonly<Record<string, string>> = {}): Partial<VideoFacts> {
  const [width, height] = [toCount(metadata[NAMES.width]), toCount(metadata[NAMES.height])];
  if (width === undefined || height === undefined) return {};
  return { width, height, durationMs: toCount(metadata[NAMES.durationMs]) ?? null };
}

function toCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
