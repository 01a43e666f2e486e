import { growTo } from "../isolate-memory.ts";
import { MAX_FILE_BYTES, type PictureWork } from "./picture-work.ts";

/** Reads a whole file; undefined if the file is too large for the memory. @throws CodecsBusy if no memory is free in time */
export async function readWhole({ file, lease, workBytes }: PictureWork): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.sizeBytes > MAX_FILE_BYTES) return undefined;
  await growTo(lease, workBytes + file.sizeBytes);
  return file.readTo(file.sizeBytes);
}
