import * as z from "zod";
import type { MediaObject } from "../../client/index.ts";

/** The facts of a file that an agent needs, under the API's names. */
export const FileShape = z.object({
  _id: z.string(),
  url: z.string().describe("The file's public address"),
  originalFilename: z.string(),
  mimeType: z.string(),
  fileSize: z.number().describe("Bytes"),
  size: z.object({ width: z.number(), height: z.number() }).describe("Pixels; 0 while unknown"),
  durationMs: z.number().nullable().describe("Videos only"),
  folderId: z.string().nullable().describe("Null is Root"),
  tags: z.array(z.string()),
  favorite: z.boolean(),
  status: z.enum(["active", "trash"]),
  createdAt: z.string(),
});

export function toFile(file: MediaObject): z.output<typeof FileShape> {
  const { _id, url, originalFilename, mimeType, fileSize, size, durationMs } = file;
  const { folderId, tags, favorite, status, createdAt } = file;
  return {
    _id,
    url,
    originalFilename,
    mimeType,
    fileSize,
    size,
    durationMs,
    folderId,
    tags,
    favorite,
    status,
    createdAt,
  };
}

export const Id = z.string().min(1).max(2000).describe("The file's _id or its URL");
export const Ids = z.array(Id).min(1).max(100);
export const NextCursor = z.string().nullable().describe("Pass it as cursor for the next page; null on the last page");

/** The arguments of a page. */
export function paging(most: number, usual: number) {
  return {
    limit: z.int().min(1).max(most).default(usual).describe("The most items of the answer"),
    cursor: z.string().optional().describe("nextCursor of the answer before, with the same other arguments"),
  };
}
