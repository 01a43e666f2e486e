import { expect } from "vitest";
import { callJson } from "../api/api.ts";
import { deleteFolder, type Folder } from "./api.ts";
import type { LibraryModel } from "./model.ts";
import { pick, type Random } from "./random-query.ts";

const NAMES = ["one", "two", "three", "four", "fünf", "📁"];
const MOST_FOLDERS = 10;

/** Random changes to folders, allowed or not, on the account and on its model. */
export function randomFolderChanges(token: string, model: LibraryModel, random: Random): (() => Promise<void>)[] {
  const place = () => pick(random, [null, ...model.folderIds]);

  return [
    async function create() {
      if (model.folders.size >= MOST_FOLDERS) return remove();
      const wanted = { name: pick(random, NAMES), parentId: place() };
      const response = await callJson("POST", "/folders", token, wanted);
      expect(response.status, await response.clone().text()).toBe(model.allowsFolder(wanted) ? 201 : 400);
      if (response.status !== 201) return;
      const { _id } = await response.json<Folder>();
      model.folders.set(_id, { id: _id, ...wanted });
    },
    async function change() {
      const folder = [...model.folders.values()][random(Math.max(1, model.folders.size))];
      if (folder === undefined) return;
      const changes = {
        ...(random(2) === 0 ? { name: pick(random, NAMES) } : {}),
        parentId: place(),
      };
      const response = await callJson("PATCH", `/folders/${folder.id}`, token, changes);
      const wanted = { ...folder, ...changes };
      expect(response.status, await response.clone().text()).toBe(model.allowsFolder(wanted) ? 200 : 400);
      if (response.status === 200) model.folders.set(folder.id, wanted);
    },
    remove,
  ];

  async function remove(): Promise<void> {
    const id = model.folderIds[random(Math.max(1, model.folders.size))];
    if (id === undefined) return;
    const expected = model.removeFolder(id);
    expect(await deleteFolder(token, id)).toEqual({ message: expect.any(String), ...expected });
  }
}
