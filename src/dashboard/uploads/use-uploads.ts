import { useSyncExternalStore } from "react";
import { uploads } from "./queue.ts";
import type { Snapshot } from "./snapshot.ts";

/** What the upload queue is doing. */
export function useUploads(): Snapshot {
  return useSyncExternalStore(uploads.subscribe, uploads.getSnapshot);
}
