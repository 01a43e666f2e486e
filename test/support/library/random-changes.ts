import { expect } from "vitest";
import { bulkUpdate, changeImage, deleteImage, moveToTrash, patchImage, requestBulkUpdate, restore } from "./api.ts";
import { TAGS } from "./fixture.ts";
import type { LibraryModel } from "./model.ts";
import type { LibraryItem } from "./oracle.ts";
import { pick, type Random } from "./random-query.ts";

const UNKNOWN = "01hzy3v7k9q4r5s6t7v8w9x0ya";
const MANY_TAGS = Array.from({ length: 45 }, (_, i) => `many ${i}`);

/** Random changes to existing and missing uploads, on the account and on its model. */
export function randomChanges(token: string, model: LibraryModel, random: Random): (() => Promise<void>)[] {
  const someTags = (oneIn: number) => TAGS.filter(() => random(oneIn) === 0);
  const someIds = () => [UNKNOWN, ...model.items.filter(() => random(4) === 0).map(({ _id }) => _id)];
  const anyId = () => model.items[random(Math.max(1, model.items.length))]?._id ?? UNKNOWN;
  const place = () => pick(random, [null, ...model.folderIds]);

  return [
    async function patch() {
      const changes: Partial<LibraryItem> = {
        ...(random(2) === 0 ? { folderId: place() } : {}),
        ...(random(2) === 0 ? { tags: someTags(3) } : {}),
        ...(random(2) === 0 ? { favorite: random(2) === 0 } : {}),
      };
      const id = anyId();
      if (id === UNKNOWN) return expectStatus(404, patchImage(token, id, changes));
      model.change([id], () => changes);
      expect(await changeImage(token, id, changes)).toMatchObject(changes);
    },
    async function failToPatch() {
      await expectStatus(404, patchImage(token, UNKNOWN, { favorite: true }));
      if (model.items.length > 0) await expectStatus(404, patchImage(token, anyId(), { folderId: UNKNOWN, tags: [] }));
    },
    async function changeMany() {
      const addTags = random(6) === 0 ? MANY_TAGS : someTags(4);
      const removeTags = (random(3) === 0 ? [...TAGS, ...MANY_TAGS] : someTags(3)).filter(
        (tag) => !addTags.includes(tag),
      );
      const changes = {
        ...(random(2) === 0 ? { folderId: place() } : {}),
        ...(random(2) === 0 ? { favorite: random(2) === 0 } : {}),
      };
      const ids = someIds();
      const body = { ids, addTags, removeTags: removeTags.slice(0, 50), ...changes };
      const tagsOf = ({ tags }: LibraryItem) =>
        [...new Set([...tags, ...addTags])].filter((tag) => !body.removeTags.includes(tag));
      if (model.items.some((item) => ids.includes(item._id) && tagsOf(item).length > 50)) {
        return expectStatus(400, requestBulkUpdate(token, body));
      }
      const changed = model.change(ids, (item) => ({ ...changes, tags: tagsOf(item) }));
      expect(await bulkUpdate(token, body)).toBe(changed);
    },
    async function trash() {
      const ids = someIds();
      const changed = model.change(ids, () => ({ status: "trash" }));
      expect(await moveToTrash(token, ids)).toBe(changed);
    },
    async function bringBack() {
      const ids = someIds();
      const changed = model.change(ids, () => ({ status: "active" }));
      expect(await restore(token, ids)).toBe(changed);
    },
    async function remove() {
      const id = random(8) === 0 ? UNKNOWN : anyId();
      await expectStatus(id === UNKNOWN ? 404 : 200, deleteImage(token, id));
      if (id !== UNKNOWN) model.remove(id);
    },
  ];
}

async function expectStatus(status: number, answer: Promise<Response>): Promise<void> {
  const response = await answer;
  expect(response.status, await response.text()).toBe(status);
}
