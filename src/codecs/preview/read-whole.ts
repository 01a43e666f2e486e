import type { GrowingLease } from "../../isolate/memory-budget.ts";
import { growTo } from "../isolate-memory.ts";
import { MAX_PREVIEW_FILE_BYTES, PREVIEW_BYTES } from "./preview-work.ts";
import type { SourceFile } from "./source-file.ts";

/** All of a file; undefined where it is too large to be held. @throws CodecsBusy where there is no memory in time */
export async function readWhole(file: SourceFile, lease: GrowingLease): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.sizeBytes > MAX_PREVIEW_FILE_BYTES) return undefined;
  await growTo(lease, PREVIEW_BYTES + file.sizeBytes);
  return file.readTo(file.sizeBytes);
}
