import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FilePath } from "./local-file.ts";

const READ_BYTES = 1024 * 1024;

/** @returns the SHA-256 of a file's bytes, in hexadecimal digits */
export async function hashFile(path: FilePath, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES, signal })) hash.update(piece);
  return hash.digest("hex");
}
