import { findUploads } from "../../db/library/uploads.ts";
import { ERRORS, type ErrorDetails, ServiceError } from "../../domain/errors.ts";
import { keyOfOwnUploads } from "../../domain/principal.ts";
import type { Claim, ClaimedResult } from "../../meter/books/request-claims.ts";
import type { AccountContext } from "../context.ts";
import type { FileOutcome } from "./commit/commit-uploads.ts";
import type { ClientBody } from "./receive/client-body.ts";
import type { ContentHash } from "./receive/content-hash.ts";
import { watch } from "./upload-run.ts";

/**
 * A request with an idempotency key (draft-ietf-httpapi-idempotency-key-header). Its body is read once: by
 * `readThrough` or by `upload`.
 */
export interface KeyedUpload<Outcome = FileOutcome[]> {
  readonly key: string;
  /** Identifies the request after its body was read. */
  readonly content: ContentHash;
  /** Reads the body to its end and stores nothing. */
  readThrough(): Promise<void>;
  upload(): Promise<Outcome>;
}

/** How the outcome of one kind of request is stored and returned again. */
export interface Recall<Outcome> {
  /** Whether the results were recorded; if not, the request may be repeated. */
  isKept(outcome: Outcome): boolean;
  recall(results: readonly ClaimedResult[]): Promise<Outcome>;
}

/**
 * Carries out the upload of a form or a raw body once (`carryOutOnce`). A request that stored nothing may be repeated.
 * @throws ServiceError as `carryOutOnce`
 */
export function uploadOnce(account: AccountContext, body: ClientBody, upload: KeyedUpload): Promise<FileOutcome[]> {
  return carryOutOnce(account, body, upload, {
    // A request whose files were all stored before may be repeated, with the same answer.
    isKept: (outcomes) => outcomes.some((outcome) => "upload" in outcome && outcome.isDuplicate !== true),
    recall: (results) => recall(account, results),
  });
}

/**
 * Carries a request out once: a repeat within ten minutes gets the first request's results (UP-10). The repeat's body
 * is read and compared, and nothing is stored or reserved for it.
 * @throws ServiceError 409 while the first request is in progress, 422 if the key was sent with other content; and the
 * upload's errors
 */
export async function carryOutOnce<Outcome>(
  account: AccountContext,
  body: ClientBody,
  { key, content, readThrough, upload }: KeyedUpload<Outcome>,
  { isKept, recall }: Recall<Outcome>,
): Promise<Outcome> {
  const claim = { key: claimName(account, key), claimant: crypto.randomUUID() };
  const done = await takeClaim(account, claim).catch(async (error: unknown) => {
    await body.refuse();
    throw error;
  });
  if (done !== undefined) {
    await watch(account, body, readThrough);
    if (content.digest() !== done.fingerprint) throw ERRORS.IdempotencyKeyReused();
    return recall(done.results);
  }
  account.claim = claim;
  let isDone = false;
  try {
    const outcome = await upload();
    isDone = isKept(outcome);
    return outcome;
  } finally {
    if (!isDone) await endClaim(account, claim);
  }
}

/** A limited API key and an upload token have idempotency keys of their own, so that they neither learn of others' requests nor block them. */
function claimName({ principal }: AccountContext, key: string): string {
  const keyId = principal.kind === "upload-key" ? undefined : keyOfOwnUploads(principal);
  return keyId === undefined ? key : `${keyId}/${key}`;
}

interface DoneRequest {
  readonly results: readonly ClaimedResult[];
  readonly fingerprint: string;
}

/** @returns the earlier request with the key; undefined if this one must be carried out */
async function takeClaim({ meter }: AccountContext, claim: Claim): Promise<DoneRequest | undefined> {
  const answer = await meter.claim(claim);
  switch (answer.outcome) {
    case "refused":
      throw ERRORS.InvalidKey();
    case "claimed":
      return undefined;
    case "under-way":
      throw ERRORS.RequestInProgress(answer.retryAfterSeconds);
    case "done":
      return answer;
  }
}

/** Uploads are returned in their current state; a deleted one is a 404. */
async function recall(
  { library, accountId }: AccountContext,
  results: readonly ClaimedResult[],
): Promise<FileOutcome[]> {
  const ids = results.flatMap((result) => ("uploadId" in result ? [result.uploadId] : []));
  const uploads = new Map((await findUploads(library, accountId, ids)).map((upload) => [upload.id, upload]));
  return results.map((result): FileOutcome => {
    if ("failed" in result) {
      const { originalFilename, statusCode, code, error, details } = result.failed;
      const kept = details === undefined ? undefined : (JSON.parse(details) as ErrorDetails);
      return { failed: { originalFilename, error: new ServiceError(statusCode, code, error, { details: kept }) } };
    }
    const upload = uploads.get(result.uploadId);
    if (upload !== undefined) return { upload, isDuplicate: result.isDuplicate === true };
    return { failed: { originalFilename: result.originalFilename, error: ERRORS.ImageNotFound() } };
  });
}

/** If the meter cannot be reached, the request can be repeated after the claim is due. */
async function endClaim({ meter }: AccountContext, claim: Claim): Promise<void> {
  await meter.endClaim(claim).catch(() => undefined);
}
