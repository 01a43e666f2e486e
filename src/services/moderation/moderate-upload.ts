import { insertReport, reportExists } from "../../db/directory/reports.ts";
import { wasTakenDown } from "../../db/directory/takedowns.ts";
import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { ServiceError } from "../../domain/errors.ts";
import { likelyKeys, objectUrl } from "../../domain/object-key.ts";
import { MODERATION_ACTOR } from "../../domain/operator.ts";
import type { ModerationRequested } from "../../domain/queue-messages.ts";
import { isTakenDown } from "../../domain/takedown.ts";
import type { Services } from "../context.ts";
import { openLibrary } from "../context.ts";
import { recordAction, recordEnd } from "../operator/audit.ts";
import { takeDownFile } from "../operator/takedowns.ts";
import type { AskHook } from "./ask-hook.ts";
import type { Verdict } from "./verdict.ts";

const TAKE_DOWN = "takeDown";
const DONE = 200;

export interface ModerationContext extends Pick<Services, "directory" | "libraries" | "files" | "meterOf" | "now"> {
  readonly config: Pick<Services["config"], "moderation">;
  /** Undefined if the hook was switched off since the message was sent. */
  readonly ask: AskHook | undefined;
}

/**
 * Asks the moderation hook about an upload and carries out its answer (OPER-9). Every step can be repeated after a crash: a flagged upload
 * has one report, whose id is the upload's, and a decision of the operator stays. An upload that is gone or taken down, or was taken down
 * once and restored by the operator, is not judged.
 * @throws Error if the hook gave no verdict, or a store failed: a retry may succeed
 */
export async function moderateUpload(
  context: ModerationContext,
  { accountId, uploadId }: ModerationRequested,
): Promise<void> {
  if (context.ask === undefined) return;
  const library = await openLibrary(context, accountId);
  const upload = library && (await findUpload(library, accountId, uploadId));
  if (upload === undefined || upload.takedown !== null) return;
  if (!(await isServed(context, upload)) || (await isJudged(context, uploadId))) return;
  const object = await findObject(context, upload);
  if (object === null || isTakenDown(object)) return;
  const verdict = await context.ask(upload, object);
  if (verdict.action === "takedown") await takeDown(context, upload, verdict);
  // The upload may have been deleted while the hook worked.
  if (verdict.action === "flag" && (await isServed(context, upload))) await flag(context, upload, verdict);
}

async function findObject({ files }: ModerationContext, { objectKey, visibility }: Upload): Promise<R2Object | null> {
  for (const key of likelyKeys(objectKey, visibility)) {
    const object = await files.head(key);
    if (object !== null) return object;
  }
  return null;
}

/** @throws Error if the upload may still be undone */
async function isServed({ meterOf }: ModerationContext, { accountId, id }: Upload): Promise<boolean> {
  const standing = await meterOf(accountId).uploadStanding(id);
  if (standing === "unsettled") throw new Error("The upload is not settled yet");
  return standing === "settled";
}

async function isJudged({ directory }: ModerationContext, uploadId: string): Promise<boolean> {
  return (await reportExists(directory, uploadId)) || wasTakenDown(directory, uploadId);
}

/** Puts an entry into the operator's queue of reports, once for each upload. */
async function flag({ directory, config, now }: ModerationContext, upload: Upload, { reason }: Verdict): Promise<void> {
  const { id, accountId, objectKey } = upload;
  const url = objectUrl(config.moderation?.filesUrl ?? "", objectKey);
  const open = { decision: null, note: null, decidedAt: null };
  const facts = { id, source: "moderation" as const, url, accountId, uploadId: id, reason, email: null };
  await insertReport(directory, { ...facts, createdAt: now(), ...open });
}

/** Takes a file down as the operator would, and records it before. An upload that no longer exists needs nothing. */
async function takeDown(
  context: ModerationContext,
  { accountId, objectKey }: Upload,
  { reason }: Verdict,
): Promise<void> {
  const entry = { actor: MODERATION_ACTOR, action: TAKE_DOWN, subject: accountId, reason };
  const id = await recordAction(context, entry);
  try {
    await takeDownFile(context, { file: `/${objectKey}`, reason, actor: MODERATION_ACTOR });
    await recordEnd(context, id, DONE);
  } catch (error) {
    if (!(error instanceof ServiceError && error.statusCode === 404)) throw error;
    await recordEnd(context, id, error.statusCode);
  }
}
