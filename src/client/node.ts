import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";

/**
 * A file of the disk to upload; its bytes are read as they are sent. By its time of change an interrupted upload is found again, so it
 * is the file's own.
 * @param path a Buffer where its name is no UTF-8; it has to be named then
 * @throws Error where it cannot be read
 */
export async function openFile(path: string | Buffer, name?: string): Promise<File> {
  const [blob, { mtimeMs }] = await Promise.all([openAsBlob(path), stat(path)]);
  return new File([blob], name ?? basename(path.toString()), { lastModified: Math.trunc(mtimeMs) });
}
