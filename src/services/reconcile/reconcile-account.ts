import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { findLibraryState } from "../../db/library/library-state.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Shard } from "../../domain/ids.ts";
import type { Finding, ReconcileStep } from "../../meter/reconcile/finding.ts";
import { MAX_ORPHANS, ORPHAN_AGE_MS } from "../../meter/reconcile/reconciler.ts";
import type { Services } from "../context.ts";
import { readCursor, toCursor } from "../paging.ts";

/** The working time of one call. */
const WORK_MS = 10_000;
const RETRY_AFTER_SECONDS = 60;

export interface ComparedAccount {
  readonly findings: readonly Finding[];
  /** Null if nothing is left. */
  readonly nextCursor: string | null;
}

/**
 * Compares the stores' records of one account for some seconds, and repairs safe differences on request.
 * @throws ServiceError 400 for an invalid cursor, 404 for an unknown account, 503 while it is being moved or erased
 */
export async function reconcileAccount(
  services: Services,
  email: string,
  { repair, cursor }: { readonly repair: boolean; readonly cursor?: string | undefined },
): Promise<ComparedAccount> {
  const account = await findAccountByEmail(services.directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  const list = { name: "reconcileAccount", accountId: account.id };
  const [meter, places] = [services.meterOf(account.id), await placesOf(services, account.id)];
  const endsAt = services.now() + WORK_MS;
  const findings: Finding[] = [];
  let [from] = readCursor<[place: string]>(services, list, cursor) ?? [];
  let deleted = 0;
  do {
    const step: ReconcileStep = await meter.reconcile({
      from,
      repair,
      places,
      orphanAgeMs: ORPHAN_AGE_MS,
      maxOrphans: MAX_ORPHANS - deleted,
      // The check of a single account always compares all search entries and variants.
      searchedEvery: 1,
    });
    if (step.outcome !== "compared") {
      throw step.outcome === "unknown" ? ERRORS.AccountNotFound() : ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    }
    findings.push(...step.findings);
    deleted += step.findings.filter(({ kind, repaired }) => kind === "orphan-object" && repaired).length;
    if (step.next === null) return { findings, nextCursor: null };
    from = step.next;
  } while (services.now() < endsAt);
  return { findings, nextCursor: toCursor(services, list, [from]) };
}

async function placesOf({ libraries }: Pick<Services, "libraries">, accountId: string): Promise<Shard[]> {
  const places: Shard[] = [];
  for (const shard of libraries.shards) {
    if ((await findLibraryState(libraries.open(shard), accountId)) !== undefined) places.push(shard);
  }
  return places;
}
