import { secondsUntil } from "../domain/calendar.ts";
import type { AccountBooks } from "./account-books.ts";
import type { ClaimAnswer } from "./answers.ts";
import type { IntentRunner } from "./intent-runner.ts";
import type { Claim, ClaimedResult, StoredClaim } from "./request-claims.ts";

/** How soon whoever sends a request again that is still under way should ask next. */
const ASK_AGAIN_SECONDS = 2;

interface ClaimContext {
  readonly books: AccountBooks;
  readonly runner: IntentRunner;
  readonly timeoutMs: number;
}

/**
 * Says who works on a request that bears an idempotency key (draft-ietf-httpapi-idempotency-key-header, 2.6): the first one that does,
 * or whoever comes when that one has given no sign of life for long. What it had announced is kept or undone before.
 */
export async function takeClaim(claim: Claim, fingerprint: string, context: ClaimContext): Promise<ClaimAnswer> {
  const { books, runner, timeoutMs } = context;
  const { claims, intents } = books;
  const now = Date.now();
  claims.prune(now);
  const found = claims.find(claim.key, now);
  if (found !== undefined && found.claimant !== claim.claimant) {
    if (found.fingerprint !== fingerprint) return { outcome: "other-request" };
    if (found.results !== null) return { outcome: "done", results: found.results };
    if (found.dueAt > now) {
      return {
        outcome: "under-way",
        retryAfterSeconds: Math.min(ASK_AGAIN_SECONDS, secondsUntil(found.dueAt, now)),
      };
    }
    for (const id of intents.listClaimed(found.claimant)) {
      intents.begin(id);
      await runner.finishReplay(id);
    }
    const since = claims.find(claim.key, now);
    // While its uploads were kept or undone, another one came first, or it was alive after all.
    if (since !== undefined && !isSame(since, found)) return takeClaim(claim, fingerprint, context);
    if (since !== undefined && since.kept.length > 0) {
      const results = since.kept.map((uploadId): ClaimedResult => ({ uploadId, originalFilename: "" }));
      claims.settle({ key: claim.key, claimant: since.claimant }, results, now);
      return { outcome: "done", results };
    }
  }
  claims.put(claim, fingerprint, now + timeoutMs);
  return { outcome: "claimed" };
}

/** Its uploads may have been kept meanwhile. */
function isSame(since: StoredClaim, found: StoredClaim): boolean {
  return since.claimant === found.claimant && since.dueAt === found.dueAt && since.results === null;
}

/**
 * A request has ended and stored nothing, or it failed: it may be made anew. What of it was neither kept nor undone yet is looked at
 * before.
 */
export function endClaim(claim: Claim, { claims, intents }: AccountBooks): void {
  const now = Date.now();
  const found = claims.find(claim.key, now);
  if (found === undefined || found.claimant !== claim.claimant) return;
  if (found.kept.length === 0 && intents.listClaimed(claim.claimant).length === 0) claims.remove(claim);
  else claims.renew(claim, now);
}
