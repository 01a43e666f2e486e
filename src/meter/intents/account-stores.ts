import type { Directory } from "../../db/directory/directory.ts";
import type { Libraries, Library } from "../../db/library/library.ts";
import type { Shard } from "../../domain/ids.ts";
import type { ModerationRequested, UploadStored } from "../../domain/queue-messages.ts";
import type { VariantRecord } from "../../domain/variants/made-variants.ts";
import type { Sender } from "../../isolate/calls.ts";

/** The stores of one account in which its intents are carried out. */
export interface AccountStores {
  readonly accountId: string;
  readonly directory: Directory;
  readonly libraries: Libraries;
  /** The current shard of the library. The library may move while an intent is carried out. */
  readonly shard: Shard;
  readonly library: Library;
  readonly files: R2Bucket;
  /** The record of the stored variants, which the CDN Worker keeps. */
  readonly variants: VariantRecord;
  readonly uploadEvents: Sender<UploadStored>;
  /** Undefined if the installation has no moderation hook. */
  readonly moderation: Sender<ModerationRequested> | undefined;
  readonly now: number;
}
