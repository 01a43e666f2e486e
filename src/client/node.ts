import { openAsBlob } from "node:fs";
import { basename } from "node:path";

/**
 * A file of the disk to upload; its bytes are read as they are sent.
 * @throws Error where it cannot be read
 */
export async function openFile(path: string): Promise<File> {
  return new File([await openAsBlob(path)], basename(path));
}
