import { toLogLine } from "../../domain/log-line.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { MeterContext } from "../account/context.ts";
import { intentId, type SetVisibilityIntent, uploadIntentId } from "./intent.ts";
import { settleUploads } from "./upload-intents.ts";

/** Each change waits for R2 and D1. The platform allows six connections per invocation that wait for an answer. */
const CHANGES_AT_ONCE = 6;
/** The time between two looks for a thumbnail that is being written. */
const LOOK_MS = 200;

export type FileToChange = Pick<SetVisibilityIntent, "uploadId" | "objectKey"> & { readonly sizeBytes: number };

/**
 * `gone`: the upload or its account no longer exists. `unfinished`: a store failed, and the object finishes the change automatically; or a
 * thumbnail is being written, and nothing was changed.
 */
export type VisibilityChange = "changed" | "gone" | "unfinished";

/**
 * Makes files public or private, a few at once. After `changed`, the file, its thumbnail and its variants are at the keys of the new
 * visibility only.
 * @returns the outcomes in the given order
 */
export async function changeVisibility(
  context: MeterContext,
  uploads: readonly FileToChange[],
  visibility: Visibility,
): Promise<VisibilityChange[]> {
  const answers: VisibilityChange[] = [];
  const entries = uploads.entries();
  const work = async () => {
    for (const [at, upload] of entries) {
      answers[at] = await changeOne(context, upload, visibility).catch((error: unknown) => {
        console.error(toLogLine("visibility.changed-later", { uploadId: upload.uploadId }, error));
        return "unfinished" as const;
      });
    }
  };
  await Promise.all(Array.from({ length: CHANGES_AT_ONCE }, work));
  return answers;
}

async function changeOne(
  context: MeterContext,
  upload: FileToChange,
  visibility: Visibility,
): Promise<VisibilityChange> {
  const { tables, runner, load } = context;
  const { uploadId, objectKey } = upload;
  if (!(await load()) || tables.isDeleted(uploadId)) return "gone";
  if (tables.intents.find(uploadIntentId(uploadId)) !== undefined) {
    // The row exists, so the upload is settled first, as before a deletion.
    const { missing } = await settleUploads(context, [upload]);
    if (missing.length > 0) return "gone";
  }
  if (!(await waitForThumbnail(context, uploadId))) return "unfinished";
  await runner.change({ kind: "set-visibility", uploadId, objectKey, visibility });
  return tables.isDeleted(uploadId) ? "gone" : "changed";
}

/**
 * A consumer that has reserved storage for a thumbnail is about to write it at the key of the old visibility. While a change is in progress,
 * no consumer gets a reservation (`reserveThumbnail`). This takes moments; the alarm ends the reservation of a consumer that died.
 * @returns whether no thumbnail is being written
 */
export async function waitForThumbnail({ tables, timeoutMs }: MeterContext, uploadId: string): Promise<boolean> {
  const id = intentId({ kind: "thumbnail", uploadId });
  // An intent without reserved bytes waits for a dead consumer's object, which is moved when it is counted.
  const isWriting = () => (tables.intents.find(id)?.reservedBytes ?? 0) > 0;
  for (let waitedMs = 0; isWriting(); waitedMs += LOOK_MS) {
    if (waitedMs >= timeoutMs()) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return true;
}
