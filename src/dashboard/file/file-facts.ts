import type { MediaObject } from "../../client/index.ts";
import type { FocalPoint } from "../../domain/variants/focal-point.ts";
import type { Visibility } from "../../domain/visibility.ts";

/** A file as a session receives it. Older services leave fields out. */
export type FileFacts = MediaObject & {
  /** The image's preview or the video's thumbnail; its views are not counted. */
  readonly previewUrl?: string | null | undefined;
  /** The file; views are not counted. Valid for an hour. */
  readonly viewUrl?: string | undefined;
  readonly originalFileSize?: number;
  readonly compressed?: boolean;
  readonly compressionQuality?: number | undefined;
  readonly durationMs?: number | null;
  readonly thumbnail?: "pending" | "ready" | "failed" | "none" | null;
};

/** The owner's own facts about a file. Null removes a fact. */
export interface FileFactsPatch {
  readonly originalFilename?: string;
  readonly alt?: string | null;
  readonly externalId?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly focalPoint?: FocalPoint | null;
  readonly expiresAt?: string | null;
}

/** Shows a message of the service, for example under a field. */
export type OnRefused = (message: string) => void;

export interface FilePatch {
  readonly favorite?: boolean;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly status?: "active" | "trash";
  readonly visibility?: Visibility;
  readonly facts?: FileFactsPatch;
}

/** Changes a file. */
export type FileChange = (file: FileFacts, patch: FilePatch, onRefused?: OnRefused) => Promise<void>;

/** @returns the file with these facts */
export function withFacts<File extends Pick<MediaObject, "prompt">>(file: File, facts: FileFactsPatch = {}): File {
  return { ...file, ...facts, prompt: facts.originalFilename ?? file.prompt };
}

const TYPES: Readonly<Record<string, string>> = {
  "image/jpeg": "JPEG image",
  "image/png": "PNG image",
  "image/webp": "WebP image",
  "image/gif": "GIF image",
  "video/mp4": "MP4 video",
  "video/webm": "WebM video",
  "video/quicktime": "QuickTime video",
  "video/x-msvideo": "AVI video",
};

/** "JPEG image". */
export function typeOf({ mimeType }: Pick<FileFacts, "mimeType">): string {
  return TYPES[mimeType] ?? mimeType;
}

export function isVideo({ mimeType }: Pick<FileFacts, "mimeType">): boolean {
  return mimeType.startsWith("video/");
}

/** The uncounted address, or the public one if there is none. */
export function shownUrl({ viewUrl, url }: FileFacts): string {
  return viewUrl ?? url;
}

/** "2026-11-22 18:05:01 UTC". */
export function utcOf(date: string): string {
  return `${new Date(date).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
