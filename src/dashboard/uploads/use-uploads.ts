import { useSyncExternalStore } from "react";
import type { Snapshot } from "./snapshot.ts";
import { uploads } from "./uploads-store.ts";

export function useUploads(): Snapshot {
  return useSyncExternalStore(uploads.subscribe, uploads.getSnapshot);
}
