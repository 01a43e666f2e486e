import { beforeEach, describe, expect, it } from "vitest";
import { openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import {
  bulkUpdate,
  createFolder,
  deleteImage,
  listPage,
  moveToTrash,
  type Query,
  restore,
  uploadMany,
} from "../../support/library/api.ts";
import { expectedItems } from "../../support/library/oracle.ts";
import { mp4, png } from "../../support/media/samples.ts";

// All uploads are the same at first, so a filter matches all of them until a writer changes some.

let account: TestAccount;
let folderId: string;
let ids: string[];

beforeEach(async () => {
  account = await openAccount("business");
  folderId = await createFolder(account.token, "One");
  const files = Array.from({ length: 4 }, (_, i) => ({ name: `alike ${i}.png`, bytes: png() }));
  ids = (await uploadMany(account.token, files, { tags: "alike", folderId })).map(({ _id }) => _id);
  await bulkUpdate(account.token, { ids, favorite: true });
});

const QUERIES: Query[] = [
  { favorite: true },
  { favorite: false },
  { tags: "alike" },
  { excludeTags: "other" },
  { mimePrefix: "image/" },
  { q: "alike", favorite: true },
];

describe.each(QUERIES)("Listing with %j during changes", (query) => {
  it("A listing during changes shows only matching uploads, and as many as its total", async () => {
    const { token } = account;
    const asked = { ...query, folderId: "all" };
    const write = async () => {
      const other = await uploadOne(token, { name: "other.mp4", bytes: mp4(300) }, { tags: "other" });
      await bulkUpdate(token, { ids: [ids[0]], favorite: false, addTags: ["other"], removeTags: ["alike"] });
      await moveToTrash(token, ids.slice(1, 3));
      await bulkUpdate(token, { ids: [ids[0]], favorite: true, addTags: ["alike"], removeTags: ["other"] });
      await restore(token, ids);
      await deleteImage(token, other._id);
    };
    const read = async () => {
      for (let i = 0; i < 20; i++) {
        const { images, pagination } = await listPage(token, asked);
        const items = images.map((image) => ({ ...image, originalFilename: image.prompt }));
        expect(expectedItems(items, asked)).toEqual(items);
        expect(pagination.total).toBe(items.length);
      }
    };
    await Promise.all([write(), write(), write(), read(), read(), read(), read(), read(), read()]);
  });
});

it.each<Query>([{ favorite: true }, { tags: "alike" }, { mimePrefix: "image/" }, { minSize: 1 }, { q: "alike" }, {}])(
  "A listing of both statuses with %j misses no upload that changes its status",
  async (query) => {
    const { token } = account;
    const write = async () => {
      for (let i = 0; i < 8; i++) {
        await moveToTrash(token, ids.slice(0, 2));
        await restore(token, ids.slice(0, 2));
      }
    };
    const read = async () => {
      for (let i = 0; i < 20; i++) {
        const { images, pagination } = await listPage(token, { ...query, status: "all" });
        expect(images.map(({ _id }) => _id)).toEqual([...ids].reverse());
        expect(pagination.total).toBe(ids.length);
      }
    };
    await Promise.all([write(), read(), read(), read(), read(), read(), read()]);
  },
);
