import { listOfOtherVisibility } from "../../db/library/visibility.ts";
import { walkMatches } from "../../db/listing/walk-matches.ts";
import { CHANGES_OF_VISIBILITY } from "../../domain/allowance.ts";
import { ERRORS } from "../../domain/errors.ts";
import { MAX_VISIBILITY_BYTES, MAX_VISIBILITY_CHANGES } from "../../domain/limits.ts";
import { confinementOf } from "../../domain/principal.ts";
import { otherThan, type Visibility } from "../../domain/visibility.ts";
import { chargeChanges } from "../accounts/charge-changes.ts";
import type { AccountContext } from "../context.ts";
import type { Upload } from "../records.ts";
import { type ChangedMatches, type MatchSelection, readSelection } from "./change-matches.ts";
import { takeListingTurn } from "./list-turns.ts";

const RETRY_AFTER_SECONDS = 5;

/** A file whose visibility has to change. */
type DueFile = Pick<Upload, "id" | "objectKey" | "sizeBytes">;

export interface ChangedVisibility {
  /** Files that changed. */
  readonly updated: number;
  /** Files that did not fit into the request. */
  readonly remaining: number;
}

/**
 * Makes files public or private (PRIV-4): when this returns, the change is in effect for the files, their thumbnails and variants. Files that
 * have the visibility already, and ids that are not the account's, are skipped. A request changes `MAX_VISIBILITY_CHANGES` files.
 * @throws ServiceError 503 if nothing could be changed now
 */
export async function changeVisibility(
  account: AccountContext,
  ids: readonly string[],
  visibility: Visibility,
): Promise<ChangedVisibility> {
  const { library, accountId } = account;
  const within = confinementOf(account);
  const due = await listOfOtherVisibility(library, accountId, ids, { visibility, within });
  const updated = await change(account, due, visibility);
  return { updated, remaining: due.length - updated };
}

/**
 * Does the same for the files that match a filter, newest first. The cursor leads to the matches that are left.
 * @throws ServiceError 400 for an invalid cursor, 404 for the folder, 503
 */
export async function changeVisibilityOfMatches(
  account: AccountContext,
  { filter: given, exceptIds = [], cursor }: MatchSelection,
  visibility: Visibility,
): Promise<ChangedMatches> {
  // Files that have the visibility already do not match.
  const former = otherThan(visibility);
  if (given.visibility === visibility) return { updated: 0, nextCursor: null };
  const selection = { filter: { ...given, visibility: former }, exceptIds, cursor };
  const { filter, after, toCursor } = await readSelection(account, "setVisibility", selection);
  if (filter === undefined) return { updated: 0, nextCursor: null };
  const { library, accountId } = account;
  const excepted = new Set(exceptIds);
  let start = after;
  // The turn is for reading. Copies may take long.
  const matches = await takeListingTurn(account, async () => {
    for await (const { ids, next } of walkMatches({ library, accountId, filter }, start, MAX_VISIBILITY_CHANGES)) {
      const wanted = ids.filter((id) => !excepted.has(id));
      if (wanted.length > 0 || next === undefined) return { wanted, next };
      start = next;
    }
    return { wanted: [], next: undefined };
  });
  const { updated, remaining } = await changeVisibility(account, matches.wanted, visibility);
  // Changed files have left the filter, so the next request finds the others at the same place.
  const next = remaining > 0 ? (start ?? FIRST) : matches.next;
  return { updated, nextCursor: next === undefined ? null : toCursor(next) };
}

/** Before the newest upload (`MAX_NUMBER`). */
const FIRST = String(2n ** 63n - 1n);

/** @returns how many files changed @throws ServiceError 503 if files should have, and none did */
async function change(account: AccountContext, due: readonly DueFile[], visibility: Visibility): Promise<number> {
  const files = takeSome(due).map(({ id, objectKey, sizeBytes }) => ({ uploadId: id, objectKey, sizeBytes }));
  if (files.length === 0) return 0;
  const outcomes = await account.meter.changeVisibility(files, visibility);
  const updated = outcomes.filter((outcome) => outcome === "changed").length;
  await chargeChanges(account, updated * CHANGES_OF_VISIBILITY);
  if (updated === 0 && outcomes.includes("unfinished")) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  return updated;
}

function takeSome(due: readonly DueFile[]): DueFile[] {
  let bytes = 0;
  const fits = (file: DueFile, at: number) => {
    bytes += file.sizeBytes;
    return at === 0 || (at < MAX_VISIBILITY_CHANGES && bytes <= MAX_VISIBILITY_BYTES);
  };
  return due.filter(fits);
}
