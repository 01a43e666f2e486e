import { describe, expect, it } from "vitest";
import { deleteLibrary, deleteSomeUploads } from "../../../src/db/library/erase-library.ts";
import { deleteTreeStep } from "../../../src/db/library/folders.ts";
import { LAST_STEP } from "../../../src/db/library/library-state.ts";
import { updateUploads } from "../../../src/db/library/update-uploads.ts";
import { deleteUploads, insertUploads, updateStatus } from "../../../src/db/library/uploads.ts";
import { insertFolder } from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { inLibraries, libraries } from "../../support/api/databases.ts";
import { seeded } from "../../support/uploads/multipart.ts";
import { NOW, newUpload } from "../../support/uploads/new-upload.ts";

/** The tables of D1 beside the uploads. No answer of the API shows them directly. */

const library = libraries.open("00");
const DAY_MS = 86_400_000;
const BY = { by: null, at: NOW };
const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm"];

async function rowsOf<Row>(query: string, accountId: string): Promise<Row[]> {
  return inLibraries<Row>(query, accountId);
}

/** Counts and tags, made again from only the uploads. */
async function expectTablesFollow(accountId: string): Promise<void> {
  const counted = await rowsOf(
    `SELECT place.value AS folder_id, facet, status, counted.value, count(*) AS count, sum(size_bytes) AS bytes
     FROM (
       SELECT number, 'type' AS facet, mime_type AS value FROM uploads
       UNION ALL SELECT number, 'day', date(created_at / 1000, 'unixepoch') FROM uploads
       UNION ALL SELECT number, 'favorite', '' FROM uploads WHERE favorite = 1
       UNION ALL SELECT uploads.number, 'tag', tag.value FROM uploads, json_each(tags) AS tag
     ) AS counted JOIN uploads USING (number), json_each(json_array('*', ifnull(folder_id, ''))) AS place
     WHERE account_id = ? GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    accountId,
  );
  const tagged = await rowsOf<{ folder_id: string; status: string; tag: string; number: string }>(
    `SELECT status, tag.value AS tag, CAST(number AS TEXT) AS number, ifnull(folder_id, '') AS folder_id
     FROM uploads, json_each(tags) AS tag WHERE account_id = ? ORDER BY 1, 2, 3`,
    accountId,
  );
  const counts = "SELECT folder_id, facet, status, value, count, bytes FROM upload_counts WHERE account_id = ?";
  const tags = "SELECT status, tag, CAST(number AS TEXT) AS number FROM upload_tags WHERE account_id = ?";
  const folderTags =
    "SELECT status, tag, CAST(number AS TEXT) AS number, folder_id FROM folder_tags WHERE account_id = ?";
  expect(await rowsOf(`${counts} ORDER BY 1, 2, 3, 4`, accountId)).toEqual(counted);
  expect(await rowsOf(`${tags} ORDER BY 1, 2, 3`, accountId)).toEqual(tagged.map(({ folder_id: _, ...row }) => row));
  expect(await rowsOf(`${folderTags} ORDER BY 1, 2, 3`, accountId)).toEqual(tagged);
}

async function countSearchable(): Promise<number> {
  return (await inLibraries("SELECT id FROM upload_search_docsize")).length;
}

describe("Counts and tags", () => {
  it.each([1, 2, 3])("Counts and tags match the uploads after any changes to them (seed %d)", async (seed) => {
    const random = seeded(seed);
    const { id: accountId } = await openAccount("free", "00");
    const folders: (string | null)[] = [null];
    const ids: string[] = [];
    const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
    const some = () => ids.filter(() => random(3) === 0);
    const someTags = () => ["a", "b", "c", "é", "1", "null"].filter(() => random(3) === 0);
    for (let step = 0; step < 60; step++) {
      const action = random(8);
      if (action === 0) folders.push(await insertFolder(accountId, `Folder ${step}`));
      if (action <= 2) {
        const rows = Array.from({ length: 1 + random(4) }, () =>
          newUpload(accountId, {
            folderId: pick(folders),
            mimeType: pick(TYPES),
            sizeBytes: 1 + random(1000),
            favorite: random(2) === 0,
            tags: someTags(),
            createdAt: NOW + random(5) * DAY_MS,
          }),
        );
        await insertUploads(library, rows);
        ids.push(...rows.map(({ id }) => id));
      }
      if (action === 3) await updateStatus(library, accountId, some(), { from: "active", to: "trash" }, BY);
      if (action === 4) await updateStatus(library, accountId, some(), { from: "trash", to: "active" }, BY);
      if (action === 5) {
        const change = {
          folderId: random(2) === 0 ? undefined : pick(folders),
          favorite: random(2) === 0 ? undefined : random(2) === 0,
          ...(random(2) === 0 ? { tags: someTags() } : { addTags: ["d", "a"], removeTags: ["b", "c"] }),
        };
        await updateUploads(library, accountId, some(), change, BY);
      }
      if (action === 6) await deleteUploads(library, accountId, ids.splice(random(ids.length + 1), 1));
      if (action === 7 && folders.length > 1) {
        const folderId = folders.splice(1 + random(folders.length - 1), 1)[0] ?? "";
        while (!(await deleteTreeStep(library, accountId, folderId, BY, 3)));
      }
    }
    expect(ids.length).toBeGreaterThan(5);
    await expectTablesFollow(accountId);
  });

  it("Counts, tags and the full-text index are empty when the account is erased", async () => {
    const before = await countSearchable();
    const { id: accountId } = await openAccount("free", "00");
    const folderId = await insertFolder(accountId);
    const rows = [{ tags: ["a"] }, { folderId }, { status: "trash" as const, favorite: true }, {}, {}];
    await insertUploads(
      library,
      rows.map((row) => newUpload(accountId, row)),
    );
    expect(await countSearchable()).toBe(before + 5);
    expect(await deleteSomeUploads(library, { accountId, movedAt: LAST_STEP }, 3)).toBe(3);
    await expectTablesFollow(accountId);
    expect(await deleteSomeUploads(library, { accountId, movedAt: LAST_STEP }, 3)).toBe(2);
    expect(await deleteSomeUploads(library, { accountId, movedAt: LAST_STEP }, 3)).toBe(0);
    for (const table of ["uploads", "upload_tags", "folder_tags", "upload_counts"]) {
      expect(await rowsOf(`SELECT * FROM ${table} WHERE account_id = ?`, accountId)).toEqual([]);
    }
    expect(await countSearchable()).toBe(before);
    await deleteLibrary(library, accountId);
    expect(await rowsOf("SELECT * FROM libraries WHERE id = ?", accountId)).toEqual([]);
  });
});

describe("Upload numbers", () => {
  async function numbersOf(accountId: string): Promise<{ id: string; createdAt: number; order: number }[]> {
    return rowsOf(
      `SELECT id, number >> 20 AS createdAt, number & 1048575 AS "order" FROM uploads WHERE account_id = ? ORDER BY number`,
      accountId,
    );
  }

  it("An upload's number is its millisecond and its turn within it, in any account", async () => {
    const [one, two] = [await openAccount("free", "00"), await openAccount("free", "00")];
    const createdAt = NOW + 12_345;
    const mine = [0, 1, 2].map(() => newUpload(one.id, { createdAt }));
    const other = newUpload(two.id, { createdAt });
    const later = newUpload(one.id, { createdAt: createdAt + 1 });
    await insertUploads(library, [later]);
    await insertUploads(library, mine.slice(0, 2));
    await insertUploads(library, [other]);
    await insertUploads(library, mine.slice(2));
    expect(await numbersOf(one.id)).toEqual([
      ...mine.map(({ id }, at) => ({ id, createdAt, order: [0, 1, 3][at] })),
      { id: later.id, createdAt: createdAt + 1, order: 0 },
    ]);
    expect(await numbersOf(two.id)).toEqual([{ id: other.id, createdAt, order: 2 }]);
  });
});
