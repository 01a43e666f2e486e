import type { MediaType } from "../../../domain/media-types.ts";

/** A file that has an id and a key, and nothing of it in R2 yet. */
export interface IdentifiedFile {
  readonly uploadId: string;
  readonly objectKey: string;
  readonly originalFilename: string;
  readonly mimeType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly createdAt: number;
}

/** A file whose bytes are in R2; its row is not written yet. */
export interface StoredFile extends IdentifiedFile {
  readonly sizeBytes: number;
  /** Before compression. */
  readonly originalSizeBytes: number;
  /** The quality used; null if the stored file is the uploaded one. */
  readonly compressionQuality: number | null;
}
