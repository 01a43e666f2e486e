import { updateShard } from "../db/directory/accounts.ts";
import { copyFolders, copyUploads, deleteSomeLeft, forgetMoved, readFigures } from "../db/library/copy-library.ts";
import { deleteSomeUploads, emptyLibrary } from "../db/library/erase-library.ts";
import type { Library } from "../db/library/library.ts";
import { putLibrary, setLibraryState } from "../db/library/library-state.ts";
import { toLogLine } from "../domain/log-line.ts";
import { UPLOAD_STATUSES, type UploadStatus } from "../domain/upload-status.ts";
import type { CopiedUpTo, MoveIntent } from "./intent.ts";
import { type IntentStores, letOthersIn, STEP_UPLOADS } from "./intent-stores.ts";

/** The uploads of one copying transaction: their rows and what is searched of them are some hundred kilobytes. */
const PAGE_UPLOADS = 200;
/** Of copies and of deletions; the next pass goes on. D1 answers 1,000 statements to one invocation (its documentation, "Limits"). */
const STEPS_PER_PASS = 100;
/** Before the number of any upload. */
const FIRST_NUMBER = "-1";

/**
 * One bounded pass of moving a library to another shard. While it is copied, its rows are not written to (triggers of the shard see
 * to that) and are read where they were. The account's meter says where it is once both copies have the same figures; only then do
 * the old rows go. Every step can be done again after a crash between any two.
 * @returns how the intent stands now; undefined where nothing is left to do
 */
export async function moveSome(intent: MoveIntent, stores: IntentStores): Promise<MoveIntent | undefined> {
  const { accountId, libraries } = stores;
  const [from, to] = [libraries.open(intent.from), libraries.open(intent.to)];
  switch (intent.stage) {
    case "begun":
      // Whatever an earlier move left there.
      if (!(await clear(to, accountId))) return intent;
      await setLibraryState(from, accountId, "leaving");
      await putLibrary(to, accountId, "here");
      await copyFolders(from, to, accountId);
      return { ...intent, stage: "copying" };
    case "copying": {
      const after = await copyPages(from, to, { accountId, after: intent.after });
      if (after !== "end") return { ...intent, after };
      const [there, here] = await Promise.all([readFigures(to, accountId), readFigures(from, accountId)]);
      if (there === here) return { ...intent, stage: "arrived" };
      console.error(toLogLine("library.copied-wrong", { accountId }));
      return { ...intent, stage: "returning" };
    }
    case "returning":
      await setLibraryState(from, accountId, "here");
      await setLibraryState(to, accountId, "left");
      return (await clear(to, accountId)) ? undefined : intent;
    case "arrived":
      await updateShard(stores.directory, accountId, intent.to);
      await setLibraryState(from, accountId, "left");
      await forgetMoved(to, accountId);
      return { ...intent, stage: "clearing" };
    case "clearing":
      return (await clearLeft(from, accountId, intent.from)) ? undefined : intent;
  }
}

/** @returns the last upload that was copied, or "end" */
async function copyPages(
  from: Library,
  to: Library,
  { accountId, after }: { readonly accountId: string; readonly after: CopiedUpTo | null },
): Promise<CopiedUpTo | null | "end"> {
  let place = after;
  for (let step = 0; step < STEPS_PER_PASS; step++) {
    const status = place?.status ?? UPLOAD_STATUSES[0];
    const page = { after: place?.number ?? FIRST_NUMBER, limit: PAGE_UPLOADS };
    const number = await copyUploads(from, to, { accountId, status }, page);
    const next = number === undefined ? nextStatus(status) : status;
    if (next === undefined) return "end";
    place = { status: next, number: number ?? FIRST_NUMBER };
  }
  return place;
}

function nextStatus(status: UploadStatus): UploadStatus | undefined {
  return UPLOAD_STATUSES[UPLOAD_STATUSES.indexOf(status) + 1];
}

/** @returns whether no row of the library is in the shard */
async function clear(library: Library, accountId: string): Promise<boolean> {
  for (let step = 0; step < STEPS_PER_PASS; step++) {
    if ((await deleteSomeUploads(library, accountId, STEP_UPLOADS)) === 0) {
      await emptyLibrary(library, accountId);
      return true;
    }
    await letOthersIn();
  }
  return false;
}

/** @returns whether none is there any more */
async function clearLeft(from: Library, accountId: string, shard: string): Promise<boolean> {
  for (let step = 0; step < STEPS_PER_PASS; step++) {
    if (await deleteSomeLeft(from, { accountId, shard }, STEP_UPLOADS)) return true;
    await letOthersIn();
  }
  return false;
}
