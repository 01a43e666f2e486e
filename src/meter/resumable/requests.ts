import type { MeterContext } from "../account/context.ts";
import type { Claim } from "../books/request-claims.ts";
import type {
  Drop,
  DropOutcome,
  Finish,
  NewResumable,
  ResumableClaim,
  ResumableCompletion,
  ResumableCreation,
  ResumableOpening,
  UnfinishedUpload,
} from "./outcomes.ts";
import type { Resumable } from "./resumable.ts";

/** @param claim the request's, if it has an idempotency key */
export async function createResumable(
  { storage, tables, resumable, load }: MeterContext,
  upload: NewResumable,
  claim?: Claim,
): Promise<ResumableCreation> {
  if (!(await load()) || tables.erasing) return { outcome: "refused" };
  const now = Date.now();
  const { importItem } = upload.facts;
  if (importItem !== undefined && !tables.imports.isBegun(importItem, upload.id)) return { outcome: "refused" };
  if (!tables.mayBegin(now)) return tables.ledger.exhausted(now);
  return storage.transactionSync(() => {
    const creation = resumable.create(upload);
    if (claim !== undefined && creation.outcome === "created") tables.claims.keep(claim, upload.id);
    return creation;
  });
}

/** Ends a claimed request that has created an upload: a repeated request is answered with that upload. */
export function settleCreation(
  { storage, tables }: MeterContext,
  claim: Claim,
  fingerprint: string,
  uploadId: string,
): void {
  storage.transactionSync(() => {
    tables.claims.identify(claim, fingerprint);
    tables.claims.settle(claim, [{ uploadId, originalFilename: "" }], Date.now());
  });
}

/** Lets a request write when no other request writes. It waits for a few seconds at most. */
export async function openResumable(
  { tables, resumable, load }: MeterContext,
  uploadId: string,
  claim: ResumableClaim,
): Promise<ResumableOpening> {
  if (!(await load()) || tables.erasing) return { outcome: "unknown" };
  if (isOfAnother(resumable.find(uploadId), claim.ofKey)) return { outcome: "unknown" };
  return resumable.open(uploadId, claim);
}

/** Stores a few bytes without a writer (`ResumableProtocol.addDrop`). */
export async function addDrop(
  { tables, resumable, load }: MeterContext,
  uploadId: string,
  drop: Drop,
): Promise<DropOutcome> {
  if (!(await load()) || tables.erasing) return { outcome: "writer-needed" };
  if (isOfAnother(resumable.find(uploadId), drop.ofKey)) return { outcome: "writer-needed" };
  return resumable.addDrop(uploadId, drop);
}

/** All bytes have arrived. From now on the upload is finished, never undone. */
export async function completeResumable(
  { tables, resumable, load }: MeterContext,
  uploadId: string,
  writer: string,
  finish: Finish,
): Promise<ResumableCompletion> {
  if (!(await load()) || tables.erasing) return { outcome: "lost" };
  return resumable.ends.complete(uploadId, writer, finish);
}

/** Finds an upload without disturbing its writer. @param ofKey as in `ResumableClaim` */
export async function findResumable(
  { tables, resumable, load }: MeterContext,
  uploadId: string,
  ofKey?: string,
): Promise<Resumable | undefined> {
  if (!(await load()) || tables.erasing) return undefined;
  const upload = resumable.find(uploadId);
  return isOfAnother(upload, ofKey) ? undefined : upload;
}

function isOfAnother(upload: Resumable | undefined, keyId: string | undefined): boolean {
  return upload !== undefined && keyId !== undefined && upload.facts.keyId !== keyId;
}

export async function listResumables({ resumable, load }: MeterContext): Promise<UnfinishedUpload[]> {
  return (await load()) ? resumable.list() : [];
}

/** Deletes an upload, unless all its bytes have arrived. @param ofKey as in `ResumableClaim` */
export async function removeResumable(
  { resumable, load }: MeterContext,
  uploadId: string,
  ofKey?: string,
): Promise<"removed" | "unknown" | "held"> {
  if (!(await load()) || isOfAnother(resumable.find(uploadId), ofKey)) return "unknown";
  return resumable.remove(uploadId);
}

/** Ends an upload whose bytes another upload has, on behalf of its writer (UP-14). */
export async function endDuplicate(
  { resumable }: MeterContext,
  uploadId: string,
  writer: string,
  duplicateOf: string,
): Promise<void> {
  await resumable.ends.endDuplicate(uploadId, writer, duplicateOf);
}

/** Deletes an upload on behalf of its writer. */
export async function discardResumable({ resumable }: MeterContext, uploadId: string, writer: string): Promise<void> {
  await resumable.ends.discard(uploadId, writer);
}
