import type { MeterContext } from "../account/context.ts";
import { sweepIntentId, uploadIntentId } from "./intent.ts";

/** `unsettled`: the upload may still be undone. `gone`: the upload or its account was deleted, or its request has given it up. */
export type UploadStanding = "settled" | "unsettled" | "taken-down" | "gone";

/** The state of an upload that has a row. */
export async function uploadStanding({ tables, load }: MeterContext, uploadId: string): Promise<UploadStanding> {
  if (!(await load()) || tables.erasing || tables.isDeleted(uploadId)) return "gone";
  if (tables.intents.find(uploadIntentId(uploadId)) !== undefined) return "unsettled";
  // The row is still there until the request, or the alarm, has removed it.
  if (tables.intents.find(sweepIntentId(uploadId)) !== undefined && !tables.isUpload(uploadId)) return "gone";
  return tables.takedowns.has(uploadId) ? "taken-down" : "settled";
}
