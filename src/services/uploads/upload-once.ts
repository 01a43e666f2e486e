import { findUploads } from "../../db/library/uploads.ts";
import { ERRORS, type ErrorDetails, ServiceError } from "../../domain/errors.ts";
import type { Claim, ClaimedResult } from "../../meter/request-claims.ts";
import type { AccountContext } from "../context.ts";
import type { FileOutcome } from "./commit/commit-uploads.ts";
import type { ClientBody } from "./receive/client-body.ts";

/** How a request is known when it is sent again (draft-ietf-httpapi-idempotency-key-header). */
export interface Idempotency {
  readonly key: string;
  /** What tells the request from another one under the same key, without its body having been read. */
  readonly fingerprint: string;
}

/**
 * Carries a request's upload out once, however often it is sent: who sends it again within ten minutes is answered what the first one
 * came to. One that stored nothing is carried out anew. Without a key, each request is carried out.
 * @throws ServiceError 409 while the first one is under way, 422 if the key was sent with another request; and what the upload throws
 */
export async function uploadOnce(
  account: AccountContext,
  body: ClientBody,
  idempotency: Idempotency | undefined,
  upload: () => Promise<FileOutcome[]>,
): Promise<FileOutcome[]> {
  if (idempotency === undefined) return upload();
  const claim = { key: idempotency.key, claimant: crypto.randomUUID() };
  const results = await takeClaim(account, claim, idempotency.fingerprint).catch(async (error: unknown) => {
    await body.refuse();
    throw error;
  });
  if (results !== undefined) {
    await body.refuse();
    return recall(account, results);
  }
  account.claim = claim;
  let isStored = false;
  try {
    const outcomes = await upload();
    isStored = outcomes.some((outcome) => "upload" in outcome);
    return outcomes;
  } finally {
    if (!isStored) await endClaim(account, claim);
  }
}

/** @returns what the request came to when it was made before; undefined where it is this one's to be carried out */
async function takeClaim(
  { meter }: AccountContext,
  claim: Claim,
  fingerprint: string,
): Promise<readonly ClaimedResult[] | undefined> {
  const answer = await meter.claim(claim, fingerprint);
  switch (answer.outcome) {
    case "refused":
      throw ERRORS.InvalidKey();
    case "claimed":
      return undefined;
    case "under-way":
      throw ERRORS.RequestUnderWay(answer.retryAfterSeconds);
    case "other-request":
      throw ERRORS.IdempotencyKeyReused();
    case "done":
      return answer.results;
  }
}

/** Uploads are answered as they are by now; one that was deleted meanwhile is 404. */
async function recall(
  { library, accountId }: AccountContext,
  results: readonly ClaimedResult[],
): Promise<FileOutcome[]> {
  const ids = results.flatMap((result) => ("uploadId" in result ? [result.uploadId] : []));
  const uploads = new Map((await findUploads(library, accountId, ids)).map((upload) => [upload.id, upload]));
  return results.map((result): FileOutcome => {
    if ("failed" in result) {
      const { originalFilename, statusCode, error, details } = result.failed;
      const kept = details === undefined ? undefined : (JSON.parse(details) as ErrorDetails);
      return { failed: { originalFilename, error: new ServiceError(statusCode, error, kept) } };
    }
    const upload = uploads.get(result.uploadId);
    if (upload !== undefined) return { upload };
    return { failed: { originalFilename: result.originalFilename, error: ERRORS.ImageNotFound() } };
  });
}

/** Where the meter cannot be asked, the request can be made anew when the claim falls due. */
async function endClaim({ meter }: AccountContext, claim: Claim): Promise<void> {
  await meter.endClaim(claim).catch(() => undefined);
}
