import { ERRORS } from "../../../domain/errors.ts";
import { newUploadId } from "../../../domain/ids.ts";
import { actorOf, payerOf } from "../../../domain/principal.ts";
import { MAX_RESUMABLE_BYTES, MAX_UNFINISHED } from "../../../domain/resumable.ts";
import type { ClaimedResult } from "../../../meter/books/request-claims.ts";
import type { Resumable } from "../../../meter/resumable/resumable.ts";
import type { AccountContext } from "../../context.ts";
import { ContentHash } from "../receive/content-hash.ts";
import {
  addFields,
  addOptions,
  defaultFields,
  type StorageOptionTexts,
  type UploadFieldTexts,
} from "../receive/upload-fields.ts";
import { importItemOf } from "../store/reserve-storage.ts";
import { carryOutOnce } from "../upload-once.ts";
import { addPiece } from "./add-piece.ts";
import { PieceBody } from "./piece-body.ts";
import { findResumable, type ResumableProgress, storageFull } from "./unfinished-uploads.ts";

export interface Creation {
  readonly resumable: Resumable;
  readonly progress: ResumableProgress;
}

/** A request that creates a resumable upload. */
interface CreationRequest {
  readonly description: ResumableDescription;
  /** The first bytes; null if the request has none. */
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly totalBytes: number | undefined;
  readonly key: string | undefined;
  /** Called when the upload has a URL, even if its first bytes are refused later. */
  readonly onCreated: (resumable: Resumable) => void;
}

/**
 * Creates an upload and adds the request's bytes, once if the request has an idempotency key (`carryOutOnce`). A
 * request whose body broke off is carried out again, because its client has no URL to resume from.
 * @throws ServiceError as `createResumable`, `addPiece` and `carryOutOnce`
 */
export async function createOnce(account: AccountContext, request: CreationRequest): Promise<Creation> {
  const { description, stream, totalBytes, key } = request;
  if (key === undefined) return create(account, request);
  const { length, sent } = description;
  const pairs = (sent ?? "").split(",").map((pair) => pair.trim());
  const content = new ContentHash(["tus", length, pairs.sort(), stream !== null]);
  const maxBytes = Math.min(account.config.maxUploadBytes, length ?? MAX_RESUMABLE_BYTES);
  const body = new PieceBody(stream, totalBytes, maxBytes, content);
  const readThrough = async () => {
    while ((await body.read()) !== undefined);
    if (stream !== null && !content.isComplete) throw ERRORS.MalformedMultipart("The body broke off");
  };
  const isWhole = ({ progress }: Creation) => stream === null || progress.upload !== undefined || content.isComplete;
  const upload = async () => {
    const creation = await create(account, { ...request, body });
    const { claim, meter } = account;
    if (claim !== undefined && isWhole(creation)) {
      await meter.settleCreation(claim, content.digest(), creation.resumable.id);
    }
    return creation;
  };
  return carryOutOnce(
    account,
    body,
    { key, content, readThrough, upload },
    { isKept: isWhole, recall: (results) => recall(account, results) },
  );
}

async function create(
  account: AccountContext,
  { description, stream, totalBytes, onCreated, body }: CreationRequest & { readonly body?: PieceBody },
): Promise<Creation> {
  const resumable = await createResumable(account, description);
  onCreated(resumable);
  if (stream === null) return { resumable, progress: { offset: 0 } };
  const piece = { stream, totalBytes, offset: 0, ...(body === undefined ? {} : { body }) };
  return { resumable, progress: await addPiece(account, resumable.id, piece) };
}

/** The upload's current state. @throws ServiceError 404 if it is gone */
async function recall(account: AccountContext, [result]: readonly ClaimedResult[]): Promise<Creation> {
  if (result === undefined || "failed" in result) throw ERRORS.UploadNotFound();
  return findResumable(account, result.uploadId);
}

/** A client's description of a resumable upload. */
export interface ResumableDescription {
  /** Bytes; null if it is declared later. */
  readonly length: number | null;
  readonly filename: string;
  /** `Upload-Metadata` as sent. */
  readonly sent: string | null;
  readonly fields: UploadFieldTexts;
  readonly options?: StorageOptionTexts;
  /** Identifies the version of the source that an import fetches. */
  readonly validator?: string;
}

/**
 * Announces a resumable upload, and reserves storage for it.
 * @throws ServiceError 400, 403 for a used-up token, 404 for an unknown folder, 409 for a taken `externalId`, 413, 429
 */
export async function createResumable(account: AccountContext, description: ResumableDescription): Promise<Resumable> {
  const { length, filename, sent, fields, options = {}, validator } = description;
  const { dedupe, compress } = addOptions(account, {}, options);
  if (length === 0) throw ERRORS.InvalidFile("The file is empty");
  if (length !== null && length > MAX_RESUMABLE_BYTES) throw ERRORS.UploadTooLong(MAX_RESUMABLE_BYTES);
  const { folderId, tags, visibility, ...upload } = await addFields(account, defaultFields(account), fields);
  const creation = await account.meter.createResumable(
    {
      id: account.importItem?.uploadId ?? newUploadId(account.now(), account.shard),
      length,
      facts: {
        metadata: sent,
        filename,
        folderId,
        tags,
        visibility,
        upload,
        ...(dedupe ? { dedupe } : {}),
        ...(compress === undefined ? {} : { compress }),
        ...payerOf(account.principal),
        uploadedBy: actorOf(account.principal),
        ...importItemOf(account),
        ...(validator === undefined ? {} : { validator }),
      },
    },
    account.claim,
  );
  switch (creation.outcome) {
    case "created":
      account.figures = creation.figures;
      return creation.upload;
    case "storage-full":
      throw storageFull(account, creation);
    case "operations-exhausted":
      account.figures = creation.figures;
      throw ERRORS.OperationsExhausted(creation.retryAfterSeconds);
    case "too-many":
      throw ERRORS.TooManyOf("unfinished uploads", MAX_UNFINISHED);
    case "token-used-up":
      throw ERRORS.UploadTokenUsedUp(creation.limit);
    case "refused":
      throw ERRORS.InvalidKey();
  }
}
