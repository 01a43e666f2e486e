import type { StoredImport } from "../../meter/imports/stored-import.ts";

/** The facts of an import without its items, the same in the API and in events. Times are ISO 8601. */
export function toImportFacts({ id, total, counts, createdAt, stoppedAt, endedAt }: StoredImport) {
  return {
    _id: id,
    total,
    counts: { ...counts },
    createdAt: new Date(createdAt).toISOString(),
    stoppedAt: toTime(stoppedAt),
    endedAt: toTime(endedAt),
  };
}

function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
