import type { MediaObject } from "../../client/index.ts";

/** A file as a session is told of it. Services before the previews' leave fields out. */
export type FileFacts = MediaObject & {
  /** The image's preview or the video's thumbnail, uncounted. */
  readonly previewUrl?: string | null | undefined;
  /** The file, uncounted, for an hour. */
  readonly viewUrl?: string | undefined;
  readonly originalFileSize?: number;
  readonly compressed?: boolean;
  readonly compressionQuality?: number | undefined;
  readonly durationMs?: number | null;
  readonly thumbnail?: "pending" | "ready" | "failed" | null;
};

/** What is done to a file. */
export interface FilePatch {
  readonly favorite?: boolean;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly status?: "active" | "trash";
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ "image/jpeg": "JPEG image", "image/png": "PNG image", "image/webp": "WebP image", "image/gif": "GIF image" },
  ...{ "video/mp4": "MP4 video", "video/webm": "WebM video", "video/quicktime": "QuickTime video" },
  "video/x-msvideo": "AVI video",
};

/** "JPEG image". */
export function typeOf({ mimeType }: Pick<FileFacts, "mimeType">): string {
  return TYPES[mimeType] ?? mimeType;
}

export function isVideo({ mimeType }: Pick<FileFacts, "mimeType">): boolean {
  return mimeType.startsWith("video/");
}

/** The address that shows a file without counting a view, where there is one. */
export function shownUrl({ viewUrl, url }: FileFacts): string {
  return viewUrl ?? url;
}

/** The address that saves a file under its own name. */
export function downloadUrl(file: FileFacts): string {
  const url = shownUrl(file);
  return `${url}${url.includes("?") ? "&" : "?"}download=1`;
}

/** "2026-11-22 18:05:01 UTC". */
export function utcOf(date: string): string {
  return `${new Date(date).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
