import type { EventFacts } from "../../../src/meter/events/event.ts";
import type { UploadRow } from "./check-answers.ts";
import { type AccountRecord, must } from "./history.ts";
import type { World } from "./world.ts";

const EVENT_OF: Readonly<Record<string, string>> = { upload: "upload.completed", replace: "image.updated" };

type Line = { readonly type: string; readonly facts?: EventFacts } | null;

/**
 * Checks an account's events: each settled change has one, no upload that was not settled has one, and the last event of an upload shows
 * its last state.
 * @throws Violation
 */
export function checkEvents(
  world: World,
  { id, email }: AccountRecord,
  { rows, operations }: { readonly rows: readonly UploadRow[]; readonly operations: ReadonlySet<string> },
): void {
  const { storage } = world.host(id);
  // Only accounts that were opened in calm weather read events.
  if (storage.query("SELECT 1 FROM event_reader").length === 0) return;
  const pages = storage.query<{ lines: string; is_open: number }>(
    "SELECT lines, is_open FROM event_pages ORDER BY first",
  );
  must(
    pages.every(({ is_open }) => is_open === 0),
    () => `${email} has an open event`,
  );
  const events = pages.flatMap(({ lines }) => lines.split("\n").map((line) => JSON.parse(line) as Line));
  const typesBySubject = new Map<string, string[]>();
  const lastState = new Map<string, string>();
  const finished = new Map<string, unknown>();
  for (const event of events) {
    if (event?.facts === undefined || event.facts.kind === "alert") continue;
    const { facts } = event;
    if (facts.kind === "import") {
      finished.set(facts.found.id, facts.found.counts);
      continue;
    }
    const uploadId = facts.kind === "upload" ? facts.row.id : facts.uploadId;
    typesBySubject.set(uploadId, [...(typesBySubject.get(uploadId) ?? []), event.type]);
    if (facts.kind === "upload") lastState.set(uploadId, `${facts.row.visibility} and ${facts.row.status}`);
  }
  const has = (uploadId: string, type: string) => typesBySubject.get(uploadId)?.includes(type) === true;
  for (const operation of operations) {
    const [kind = "", uploadId = ""] = operation.split(":");
    const type = EVENT_OF[kind] ?? "image.deleted";
    must(has(uploadId, type), () => `${operation} is settled, and has no event`);
  }
  for (const [uploadId, types] of typesBySubject) {
    if (!types.includes("upload.completed")) continue;
    const isSettled = operations.has(`upload:${uploadId}`) || types.includes("image.deleted");
    must(isSettled, () => `${uploadId} has an event, and was not settled`);
  }
  for (const { id, counts } of storage.query<{ id: string; counts: string }>("SELECT id, counts FROM imports")) {
    const told = JSON.stringify(finished.get(id));
    must(told === counts, () => `an import has ended with ${counts}, and its last event says ${told}`);
  }
  for (const row of rows) {
    const [state, told] = [`${row.visibility} and ${row.status}`, lastState.get(row.id)];
    must(state === told, () => `${row.original_filename} is ${state}, and its last event says ${told}`);
    const isShown = row.thumbnail_size_bytes === null || has(row.id, "thumbnail.ready");
    must(isShown, () => `${row.original_filename} has a thumbnail, and no event of it`);
  }
}
