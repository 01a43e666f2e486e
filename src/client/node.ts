import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";

/**
 * Opens a file on the disk for upload. Its bytes are read while they are sent. The result has the file's time of change, by which an
 * interrupted upload is found again.
 * @param path a Buffer if the name is not UTF-8; pass a name then
 * @throws Error if the file cannot be read
 */
export async function openFile(path: string | Buffer, name?: string): Promise<File> {
  const [blob, { mtimeMs }] = await Promise.all([openAsBlob(path), stat(path)]);
  return new File([blob], name ?? basename(path.toString()), { lastModified: Math.trunc(mtimeMs) });
}
