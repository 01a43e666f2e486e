import { closeAccount, deleteAccount } from "../../db/directory/accounts.ts";
import { deleteLibrary, deleteSomeUploads } from "../../db/library/erase-library.ts";
import { findLibraryState, LAST_STEP, setLibraryState } from "../../db/library/library-state.ts";
import { fileRulesKey } from "../../domain/file-rules.ts";
import { accountMarker, accountPrefixes } from "../../domain/object-key.ts";
import type { AccountStores } from "./account-stores.ts";
import { type IntentEffect, NO_EFFECT } from "./intent-effect.ts";
import { letOthersIn, STEP_UPLOADS } from "./steps.ts";

/** R2 lists and deletes at most this many objects in one call. */
const R2_PAGE = 1000;
/** One pass deletes at most this many pages of objects, and as many steps of uploads. The next pass continues. */
const PAGES_PER_PASS = 8;

const UNFINISHED: IntentEffect = { ...NO_EFFECT, done: false };

/** One bounded pass of erasing an account; `done` if R2 and D1 have nothing of it. */
export async function eraseSome(stores: AccountStores): Promise<IntentEffect> {
  const { accountId, directory, libraries, files, variants } = stores;
  await closeAccount(directory, accountId);
  for (const prefix of accountPrefixes(accountId)) {
    if (!(await deleteObjects(files, prefix))) return UNFINISHED;
  }
  await variants.erase();
  // A library that moved, or was about to move, has rows in several shards.
  for (const shard of libraries.shards) {
    if (!(await eraseLibrary(accountId, libraries.open(shard)))) return UNFINISHED;
  }
  await files.delete([accountMarker(accountId), fileRulesKey(accountId)]);
  await deleteAccount(directory, accountId);
  return NO_EFFECT;
}

/** @returns whether nothing is left under the prefix */
async function deleteObjects(files: R2Bucket, prefix: string): Promise<boolean> {
  for (let page = 0; page < PAGES_PER_PASS; page++) {
    const { objects } = await files.list({ prefix, limit: R2_PAGE });
    if (objects.length === 0) return true;
    await files.delete(objects.map((object) => object.key));
  }
  return false;
}

/** @returns whether nothing of it is left */
async function eraseLibrary(
  accountId: string,
  library: ReturnType<AccountStores["libraries"]["open"]>,
): Promise<boolean> {
  if ((await findLibraryState(library, accountId)) === undefined) return true;
  // No request writes there any more, not even an upload in progress.
  const lastStep = { accountId, movedAt: LAST_STEP };
  await setLibraryState(library, lastStep, "left");
  for (let step = 0; step < PAGES_PER_PASS; step++) {
    if ((await deleteSomeUploads(library, lastStep, STEP_UPLOADS)) === 0) {
      await deleteLibrary(library, accountId);
      return true;
    }
    await letOthersIn();
  }
  return false;
}
