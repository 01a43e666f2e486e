import { secondsUntil } from "../../domain/calendar.ts";
import type { MeterContext } from "../account/context.ts";
import { type Claim, type ClaimedResult, claimLease, type StoredClaim } from "../books/request-claims.ts";
import type { ResumableProtocol } from "../resumable/resumable-protocol.ts";
import type { ClaimAnswer } from "./outcomes.ts";

/** The `Retry-After` of a repeated request whose first try is in progress. */
const ASK_AGAIN_SECONDS = 2;

/** Decides whether a request with an idempotency key is carried out (UP-10). */
export async function claimRequest(context: MeterContext, claim: Claim): Promise<ClaimAnswer> {
  if (!(await context.load()) || context.tables.erasing) return { outcome: "refused" };
  return takeClaim(context, claim);
}

/**
 * The first request with a key carries it out (draft-ietf-httpapi-idempotency-key-header, 2.6). Another request takes over if the first one
 * has not renewed its claim within the intents' timeout. Before that, the announced uploads of the first one are kept or undone.
 */
async function takeClaim(context: MeterContext, claim: Claim): Promise<ClaimAnswer> {
  const { tables, runner, resumable, timeoutMs } = context;
  const { claims, intents } = tables;
  const now = Date.now();
  claims.prune(now);
  const found = claims.find(claim.key, now);
  if (found !== undefined && found.claimant !== claim.claimant) {
    const { results, fingerprint } = found;
    if (results !== null && fingerprint !== undefined) return { outcome: "done", results, fingerprint };
    if (found.dueAt > now) {
      return {
        outcome: "under-way",
        retryAfterSeconds: Math.min(ASK_AGAIN_SECONDS, secondsUntil(found.dueAt, now)),
      };
    }
    if (!(await dropUnfinished(found, resumable))) {
      return { outcome: "under-way", retryAfterSeconds: ASK_AGAIN_SECONDS };
    }
    for (const id of intents.listClaimed(found.claimant)) {
      intents.begin(id);
      await runner.finishReplay(id);
    }
    const since = claims.find(claim.key, now);
    // While its uploads were kept or undone, another request took the claim, or the claimant turned out to be alive.
    if (since !== undefined && !isSame(since, found)) return takeClaim(context, claim);
    const kept = since?.kept.filter((uploadId) => tables.isUpload(uploadId)) ?? [];
    if (since !== undefined && kept.length > 0) {
      const results = kept.map((uploadId): ClaimedResult => ({ uploadId, originalFilename: "" }));
      claims.settle({ key: claim.key, claimant: since.claimant }, results, now);
      return takeClaim(context, claim);
    }
  }
  claims.put(claim, now + timeoutMs());
  return { outcome: "claimed" };
}

/**
 * Deletes the upload in pieces that a failed request had created, because the repeated request sends the bytes again.
 * @returns false if it is being written or finished
 */
async function dropUnfinished({ kept }: StoredClaim, resumable: ResumableProtocol): Promise<boolean> {
  for (const id of kept) {
    if (resumable.find(id)?.state === "receiving" && (await resumable.remove(id)) === "held") return false;
  }
  return true;
}

/** The alarm may have kept its uploads since. */
function isSame(since: StoredClaim, found: StoredClaim): boolean {
  return since.claimant === found.claimant && since.dueAt === found.dueAt && since.results === null;
}

/**
 * Ends a claim whose request failed or stored nothing, so that the request may be made again. If some of its uploads are neither kept nor
 * undone yet, the next request handles them first.
 */
export function endClaim({ storage, tables }: MeterContext, claim: Claim): void {
  storage.transactionSync(() => {
    const now = Date.now();
    const { claims, intents, leases } = tables;
    const found = claims.find(claim.key, now);
    if (found === undefined || found.claimant !== claim.claimant) return;
    if (found.kept.length === 0 && intents.listClaimed(claim.claimant).length === 0) return claims.remove(claim);
    claims.renew(claim, now);
    leases.end(claimLease(claim));
  });
}
