import { type FileFacts, isVideo } from "./file-facts.ts";

/** Whether the service makes other sizes of a file: of an image whose size is known, and of a video that has pictures. */
export function hasVariants(file: FileFacts): boolean {
  return file.size.width > 0 && file.takedown === undefined && !(isVideo(file) && file.thumbnail === "none");
}
