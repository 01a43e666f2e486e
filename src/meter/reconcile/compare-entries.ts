import { findUploads } from "../../db/library/compare/list-rows.ts";
import { replaceInSearch } from "../../db/library/compare/repair-rows.ts";
import { findWrongEntries } from "../../db/library/compare/wrong-search.ts";
import { dayOf } from "../../domain/calendar.ts";
import { STEP_UPLOADS } from "../intent-stores.ts";
import type { Comparison } from "./comparison.ts";
import { done, toFinding } from "./difference.ts";
import type { Finding } from "./finding.ts";
import type { UploadPage } from "./read-upload-page.ts";

/**
 * Compares a part of a page's entries in the index of names with the names, each day another one. A statement sees an upload's row and
 * its entry at one moment: whatever is wrong in it is.
 */
export async function compareEntries(
  { stores, searchedEvery, repair }: Comparison,
  page: UploadPage,
): Promise<Finding[]> {
  const { library, accountId, now } = stores;
  const isDue = (id: string) => (Number.parseInt(id.slice(-2), 36) + dayOf(now)) % searchedEvery === 0;
  const ids = page.uploads.flatMap(({ uploadId, row }) => (row?.isSearchable && isDue(uploadId) ? [uploadId] : []));
  const findings: Finding[] = [];
  for (let at = 0; at < ids.length; at += STEP_UPLOADS) {
    const rows = await findUploads(library, accountId, ids.slice(at, at + STEP_UPLOADS));
    for (const row of await findWrongEntries(library, rows)) {
      const mend = () => done(replaceInSearch(library, row));
      findings.push(await toFinding({ kind: "search-wrong", subject: row.id, repair: mend }, repair));
    }
  }
  return findings;
}
