/** The upload result (RES-1), as a client of the API would type it. */
export interface UploadResult {
  readonly _id: string;
  readonly url: string;
  readonly thumbnailUrl?: string;
  readonly filename: string;
  readonly originalFilename: string;
  readonly fileSize: number;
  readonly originalFileSize: number;
  readonly sha256: string | null;
  readonly uploadedSha256?: string;
  readonly compressed: boolean;
  readonly mimeType: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly folderId: string | null;
  readonly tags: readonly string[];
  readonly visibility: "public" | "private";
  readonly createdAt: string;
}
