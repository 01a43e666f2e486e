import { changeShard } from "../../db/directory/account-changes.ts";
import { copyFolders, copyUploads, deleteSomeLeft, forgetMoved, readFigures } from "../../db/library/copy-library.ts";
import { deleteSomeUploads, emptyLibrary } from "../../db/library/erase-library.ts";
import type { Library } from "../../db/library/library.ts";
import { type MoveStep, putLibrary, setLibraryState } from "../../db/library/library-state.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { UPLOAD_STATUSES, type UploadStatus } from "../../domain/upload-status.ts";
import type { AccountStores } from "./account-stores.ts";
import type { CopiedUpTo, MoveIntent } from "./intent.ts";
import { letOthersIn, STEP_UPLOADS } from "./steps.ts";

/** Uploads per copying transaction: their rows and search entries are some hundred kilobytes. */
const PAGE_UPLOADS = 200;
/** The copies or deletions of one pass. D1 answers 1,000 statements in an invocation (its documentation, "Limits"). */
const STEPS_PER_PASS = 100;
/** Sorts before the number of every upload. */
const FIRST_NUMBER = "-1";

/**
 * One bounded pass of moving a library to another shard. While it is copied, triggers of the shard reject writes, and reads go to the old
 * rows. The account's meter switches the shard when both copies have the same figures; only then the old rows are deleted. Every step can
 * be repeated after a crash, and a late step of an earlier life of the object changes nothing after a newer one.
 * @param movedAt the time of this pass, on the account's own clock
 * @returns the intent's next state; undefined if nothing is left to do
 */
export async function runMovePass(
  intent: MoveIntent,
  stores: AccountStores,
  movedAt: number,
): Promise<MoveIntent | undefined> {
  const { accountId, libraries } = stores;
  const step: MoveStep = { accountId, movedAt };
  const [from, to] = [libraries.open(intent.from), libraries.open(intent.to)];
  switch (intent.stage) {
    case "begun":
      // Removes the remains of an earlier move.
      await putLibrary(to, step, "left");
      if (!(await clear(to, step))) return intent;
      await setLibraryState(from, step, "leaving");
      await putLibrary(to, step, "here");
      await copyFolders(from, to, step);
      return { ...intent, stage: "copying" };
    case "copying": {
      const after = await copyPages(from, to, { ...step, after: intent.after });
      if (after !== "end") return { ...intent, after };
      const [there, here] = await Promise.all([readFigures(to, accountId), readFigures(from, accountId)]);
      if (there === here) return { ...intent, stage: "arrived" };
      console.error(toLogLine("library.copied-wrong", { accountId }));
      return { ...intent, stage: "returning" };
    }
    case "returning":
      await setLibraryState(from, step, "here");
      await setLibraryState(to, step, "left");
      return (await clear(to, step)) ? undefined : intent;
    case "arrived":
      await changeShard(stores.directory, { accountId, changedAt: movedAt }, intent.to);
      await setLibraryState(from, step, "left");
      await forgetMoved(to, step);
      return { ...intent, stage: "clearing" };
    case "clearing":
      return (await clearLeft(from, { ...step, shard: intent.from })) ? undefined : intent;
  }
}

/** @returns the last upload that was copied, or "end" */
async function copyPages(
  from: Library,
  to: Library,
  { after, ...step }: MoveStep & { readonly after: CopiedUpTo | null },
): Promise<CopiedUpTo | null | "end"> {
  let place = after;
  for (let pages = 0; pages < STEPS_PER_PASS; pages++) {
    const status = place?.status ?? UPLOAD_STATUSES[0];
    const page = { after: place?.number ?? FIRST_NUMBER, limit: PAGE_UPLOADS };
    const number = await copyUploads(from, to, { ...step, status }, page);
    const next = number === undefined ? nextStatus(status) : status;
    if (next === undefined) return "end";
    place = { status: next, number: number ?? FIRST_NUMBER };
  }
  return place;
}

function nextStatus(status: UploadStatus): UploadStatus | undefined {
  return UPLOAD_STATUSES[UPLOAD_STATUSES.indexOf(status) + 1];
}

/** @returns whether the shard has no row of the library */
async function clear(library: Library, step: MoveStep): Promise<boolean> {
  for (let pages = 0; pages < STEPS_PER_PASS; pages++) {
    if ((await deleteSomeUploads(library, step, STEP_UPLOADS)) === 0) {
      await emptyLibrary(library, step);
      return true;
    }
    await letOthersIn();
  }
  return false;
}

/** @returns whether no row is left */
async function clearLeft(from: Library, step: MoveStep & { readonly shard: string }): Promise<boolean> {
  for (let pages = 0; pages < STEPS_PER_PASS; pages++) {
    if (await deleteSomeLeft(from, step, STEP_UPLOADS)) return true;
    await letOthersIn();
  }
  return false;
}
