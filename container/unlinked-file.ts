import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary file without a name: it is gone when its last handle closes, however this process ends. */
export async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `media-processor-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
