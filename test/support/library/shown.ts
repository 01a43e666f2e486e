import { readMeter } from "../api/account-state.ts";
import type { TestAccount } from "../api/api.ts";
import { listFolders } from "./api.ts";
import { LibraryModel } from "./model.ts";
import { listByPage } from "./walk.ts";

/** The library in its plainest listing, with which all other answers must agree. */
export async function modelOfWhatIsShown(account: TestAccount): Promise<LibraryModel> {
  const model = new LibraryModel();
  const shown = await listByPage(account.token, { status: "all" }, 100);
  model.items = shown.map((item) => ({ ...item, originalFilename: item.prompt }));
  for (const { _id, name, parentId } of await listFolders(account.token)) {
    model.folders.set(_id, { id: _id, name, parentId });
  }
  model.operations = (await readMeter(account.id)).usedTenths / 10;
  return model;
}
