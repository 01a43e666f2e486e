import type { Directory } from "../db/directory/directory.ts";
import type { Libraries } from "../db/library/libraries.ts";
import type { Library } from "../db/library/library.ts";
import type { UploadStored } from "../domain/queue-messages.ts";
import type { Shard } from "../domain/shard.ts";
import type { Sender } from "../isolate/retry-queue.ts";
import type { UncountedOperation } from "./operation-log.ts";

/** Uploads that one transaction of a long change takes, which keeps all others from the database. */
export const STEP_UPLOADS = 500;
const PAUSE_MS = 20;

/** What intents are carried out in. */
export interface IntentStores {
  readonly accountId: string;
  readonly directory: Directory;
  readonly libraries: Libraries;
  /** Where the account's library is now: it may move while an intent is carried out. */
  readonly shard: Shard;
  readonly library: Library;
  readonly files: R2Bucket;
  readonly uploadEvents: Sender<UploadStored>;
  readonly now: number;
}

/** What the account's figures still have to learn of an intent that was carried out. */
export interface IntentEffect {
  readonly storageBytes: number;
  readonly operation: UncountedOperation | null;
  /** False where a further pass is needed. */
  readonly done: boolean;
}

export const NO_EFFECT: IntentEffect = { storageBytes: 0, operation: null, done: true };

/** Between two steps, others' statements come first: a step that follows at once may be before whatever has waited meanwhile. */
export function letOthersIn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
