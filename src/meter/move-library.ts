import { updateShard } from "../db/directory/accounts.ts";
import { copyFolders, copyUploads, deleteSomeLeft, forgetMoved, readFigures } from "../db/library/copy-library.ts";
import { deleteSomeUploads, emptyLibrary } from "../db/library/erase-library.ts";
import type { Library } from "../db/library/library.ts";
import { putLibrary, setLibraryState } from "../db/library/library-state.ts";
import { UPLOAD_STATUSES, type UploadStatus } from "../domain/upload-status.ts";
import type { CopiedUpTo, MoveIntent } from "./intent.ts";
import { type IntentStores, letOthersIn, STEP_UPLOADS } from "./intent-stores.ts";

/** The uploads of one copying transaction: their rows and what is searched of them are some hundred kilobytes. */
const PAGE_UPLOADS = 200;
/** One pass takes about this long; the next one goes on. */
const PASS_MS = 5000;

/**
 * One bounded pass of moving a library to another shard. While it is copied, its rows are not written to (triggers of the shard see
 * to that) and are read where they were. The account's meter says where it is once both copies have the same figures; only then do
 * the old rows go. Every step can be done again after a crash between any two.
 * @returns how the intent stands now; undefined where nothing is left to do
 */
export async function moveSome(intent: MoveIntent, stores: IntentStores): Promise<MoveIntent | undefined> {
  const { accountId, libraries } = stores;
  const [from, to] = [libraries.open(intent.from), libraries.open(intent.to)];
  const endsAt = Date.now() + PASS_MS;
  switch (intent.stage) {
    case "begun":
      // Whatever an earlier move left there.
      if (!(await clear(to, accountId, endsAt))) return intent;
      await setLibraryState(from, accountId, "leaving");
      await putLibrary(to, accountId, "here");
      await copyFolders(from, to, accountId);
      return { ...intent, stage: "copying" };
    case "copying": {
      const after = await copyPages(from, to, { accountId, after: intent.after, endsAt });
      if (after !== "end") return { ...intent, after };
      const [there, here] = await Promise.all([readFigures(to, accountId), readFigures(from, accountId)]);
      if (there === here) return { ...intent, stage: "arrived" };
      console.error("A library's copy has other figures", accountId, here, there);
      return { ...intent, stage: "returning" };
    }
    case "returning":
      await setLibraryState(from, accountId, "here");
      await setLibraryState(to, accountId, "left");
      return (await clear(to, accountId, endsAt)) ? undefined : intent;
    case "arrived":
      await updateShard(stores.directory, accountId, intent.to);
      await setLibraryState(from, accountId, "left");
      await forgetMoved(to, accountId);
      return { ...intent, stage: "clearing" };
    case "clearing":
      return (await clearLeft(from, accountId, intent.from, endsAt)) ? undefined : intent;
  }
}

/** @returns the last upload that was copied, or "end" */
async function copyPages(
  from: Library,
  to: Library,
  {
    accountId,
    after,
    endsAt,
  }: { readonly accountId: string; readonly after: CopiedUpTo | null; readonly endsAt: number },
): Promise<CopiedUpTo | null | "end"> {
  let place = after;
  const isCopied = (status: UploadStatus) =>
    place !== null && UPLOAD_STATUSES.indexOf(status) < UPLOAD_STATUSES.indexOf(place.status);
  for (const status of UPLOAD_STATUSES) {
    if (isCopied(status)) continue;
    let number: string | undefined = place?.status === status ? place.number : "-1";
    while (number !== undefined) {
      if (Date.now() > endsAt) return place;
      number = await copyUploads(from, to, { accountId, status }, { after: number, limit: PAGE_UPLOADS });
      if (number !== undefined) place = { status, number };
    }
  }
  return "end";
}

/** @returns whether no row of the library is in the shard */
async function clear(library: Library, accountId: string, endsAt: number): Promise<boolean> {
  while ((await deleteSomeUploads(library, accountId, STEP_UPLOADS)) > 0) {
    if (Date.now() > endsAt) return false;
    await letOthersIn();
  }
  await emptyLibrary(library, accountId);
  return true;
}

async function clearLeft(from: Library, accountId: string, shard: string, endsAt: number): Promise<boolean> {
  while (!(await deleteSomeLeft(from, { accountId, shard }, STEP_UPLOADS))) {
    if (Date.now() > endsAt) return false;
    await letOthersIn();
  }
  return true;
}
