import { beforeEach, describe, expect, it } from "vitest";
import { expectConsistent, uploadRowIds, usageOf } from "../../support/api/account-state.ts";
import { openAccount, type TestAccount } from "../../support/api/api.ts";
import {
  bulkUpdate,
  changeImage,
  createFolder,
  deleteFolder,
  deleteImage,
  expectInvalid,
  getImage,
  listIds,
  listPage,
  type MediaObject,
  moveToTrash,
  requestBulkUpdate,
  uploadMany,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";
import { seedUploads } from "../../support/reconcile/seed-uploads.ts";

const UNKNOWN = "01hzy3v7k9q4r5s6t7v8w9x0ya";
const numbered = (count: number, prefix = "t") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

let account: TestAccount;
let ids: [string, string, string];

beforeEach(async () => {
  account = await openAccount("business");
  const results = await uploadMany(
    account.token,
    [1, 2, 3].map((i) => ({ name: `${i}.png`, bytes: png() })),
  );
  ids = results.map(({ _id }) => _id) as [string, string, string];
});

async function tagsOf(id: string): Promise<readonly string[]> {
  return (await getImage(account.token, id)).tags;
}

async function everything(): Promise<readonly MediaObject[]> {
  return (await listPage(account.token, { status: "all", limit: 100 })).images;
}

describe("POST /images/bulk-update", () => {
  it("`POST /images/bulk-update` moves, tags and marks in one call", async () => {
    const folderId = await createFolder(account.token, "One");
    const [a, b, c] = ids;
    expect(await bulkUpdate(account.token, { ids: [a, b], folderId, addTags: ["x", "y"], favorite: true })).toBe(2);
    for (const id of [a, b]) {
      expect(await getImage(account.token, id)).toMatchObject({ folderId, tags: ["x", "y"], favorite: true });
    }
    expect(await getImage(account.token, c)).toMatchObject({ folderId: null, tags: [], favorite: false });
    expect(await listIds(account.token, { folderId })).toEqual([b, a]);
  });

  it("`POST /images/bulk-update` moves back to Root", async () => {
    const folderId = await createFolder(account.token, "One");
    expect(await bulkUpdate(account.token, { ids, folderId })).toBe(3);
    expect(await bulkUpdate(account.token, { ids: ids.slice(1), folderId: null })).toBe(2);
    expect(await listIds(account.token, { folderId })).toEqual([ids[0]]);
    expect(await listIds(account.token)).toEqual([ids[2], ids[1]]);
  });

  it("`POST /images/bulk-update` counts the uploads that changed", async () => {
    const [a, b, c] = ids;
    await changeImage(account.token, a, { tags: ["x"], favorite: true });
    await changeImage(account.token, b, { tags: ["y"] });
    expect(await bulkUpdate(account.token, { ids, favorite: false })).toBe(1);
    expect(await bulkUpdate(account.token, { ids, favorite: false })).toBe(0);
    expect(await bulkUpdate(account.token, { ids, addTags: ["x"] })).toBe(2);
    expect(await bulkUpdate(account.token, { ids, addTags: ["x"] })).toBe(0);
    expect(await bulkUpdate(account.token, { ids, removeTags: ["y"] })).toBe(1);
    expect(await bulkUpdate(account.token, { ids, removeTags: ["y", "never there"] })).toBe(0);
    expect(await bulkUpdate(account.token, { ids, folderId: null })).toBe(0);
    expect(await bulkUpdate(account.token, { ids: [a, a, c, a], favorite: true, addTags: ["x"] })).toBe(2);
  });

  it("`POST /images/bulk-update` appends tags, and removes only the named ones", async () => {
    const [a] = ids;
    await changeImage(account.token, a, { tags: ["one", "two", "three"] });
    await bulkUpdate(account.token, { ids: [a], addTags: ["four", "two", "zero"], removeTags: ["one", "five"] });
    expect(await tagsOf(a)).toEqual(["two", "three", "four", "zero"]);
    await bulkUpdate(account.token, { ids: [a], removeTags: ["two", "three", "four", "zero"] });
    expect(await tagsOf(a)).toEqual([]);
  });

  it("`POST /images/bulk-update` works on trashed uploads", async () => {
    await moveToTrash(account.token, [ids[0]]);
    expect(await bulkUpdate(account.token, { ids, addTags: ["x"] })).toBe(3);
    expect(await listIds(account.token, { status: "trash", tag: "x" })).toEqual([ids[0]]);
  });

  it("`POST /images/bulk-update` skips unknown and invalid ids", async () => {
    const gone = ids[2];
    await deleteImage(account.token, gone);
    const others = [UNKNOWN, gone, "", "not an id", "'; DROP TABLE uploads; --", "\0", ids[0].toUpperCase()];
    expect(await bulkUpdate(account.token, { ids: [...others, ids[0]], favorite: true })).toBe(1);
    expect(await bulkUpdate(account.token, { ids: others, favorite: true })).toBe(0);
  });

  it("`POST /images/bulk-update` costs no operation and no storage", async () => {
    const response = await requestBulkUpdate(account.token, { ids, addTags: ["x"], favorite: true });
    expect(usageOf(response)).toEqual({ storage: 300, operations: 3 });
    await expectConsistent(account.id);
  });

  it("`POST /images/bulk-update` changes 1,000 uploads at once, and answers the number", async () => {
    const folderId = await createFolder(account.token, "One");
    await seedUploads(account.id, 1000, { objects: false });
    const all = (await uploadRowIds(account.id)).filter((id) => !ids.includes(id));
    const changes = { folderId, addTags: numbered(50), favorite: true };
    expect(await bulkUpdate(account.token, { ids: all, ...changes })).toBe(1000);
    for (const query of [{ folderId }, { tags: "t0,t49", folderId: "all" }, { favorite: true, folderId: "all" }]) {
      expect((await listPage(account.token, query)).pagination.total).toBe(1000);
    }
    expect(await bulkUpdate(account.token, { ids: all, ...changes })).toBe(0);
    expect(await bulkUpdate(account.token, { ids: all, removeTags: numbered(50), addTags: ["left"] })).toBe(1000);
    expect((await listPage(account.token, { tag: "t7", folderId: "all" })).pagination.total).toBe(0);
    // One full upload makes the request fail for all.
    await changeImage(account.token, all.at(-1) ?? "", { tags: numbered(50) });
    await expectInvalid(await requestBulkUpdate(account.token, { ids: all, addTags: ["one more"] }), "addTags");
    expect((await listPage(account.token, { tag: "one more", folderId: "all" })).pagination.total).toBe(0);
    expect(await deleteFolder(account.token, folderId)).toMatchObject({ deletedFolders: 1, movedUploads: 1000 });
    expect((await listPage(account.token)).pagination.total).toBe(1003);
  }, 60_000);
});

describe("Limit of 50 tags", () => {
  it("An upload may reach 50 tags, also by exchanging some", async () => {
    const [a] = ids;
    await changeImage(account.token, a, { tags: numbered(49) });
    expect(await bulkUpdate(account.token, { ids, addTags: ["last"] })).toBe(3);
    expect(await bulkUpdate(account.token, { ids: [a], addTags: ["t3", "last"] })).toBe(0);
    expect(await bulkUpdate(account.token, { ids: [a], addTags: ["new"], removeTags: ["t3"] })).toBe(1);
    expect(await tagsOf(a)).toHaveLength(50);
  });

  it("A bulk change that gives one upload more than 50 tags is refused as a whole", async () => {
    const [a, b] = ids;
    const folderId = await createFolder(account.token, "One");
    await changeImage(account.token, b, { tags: numbered(50) });
    const before = await everything();
    for (const changes of [
      { addTags: ["one more"], folderId, favorite: true },
      { addTags: ["t1", "one more"] },
      { addTags: ["one more", "and another"], removeTags: ["t1"] },
      { addTags: ["one more"], removeTags: ["not there"] },
    ]) {
      await expectInvalid(await requestBulkUpdate(account.token, { ids, ...changes }), "addTags");
      expect(await everything()).toEqual(before);
    }
    expect(await bulkUpdate(account.token, { ids: [a, ids[2]], addTags: ["one more"] })).toBe(2);
  });

  it("The limit of 50 tags holds when two requests add tags at the same moment", async () => {
    const [a] = ids;
    await changeImage(account.token, a, { tags: numbered(45) });
    const add = (prefix: string) => requestBulkUpdate(account.token, { ids: [a], addTags: numbered(4, prefix) });
    const answers = await Promise.all([add("p"), add("q"), add("r")]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 400]).toContain(status);
    const tags = await tagsOf(a);
    expect(tags.length).toBeLessThanOrEqual(50);
    expect(new Set(tags).size).toBe(tags.length);
    // The listing finds uploads by the tags that they have.
    for (const tag of ["p0", "q0", "r0", "t0"]) {
      expect(await listIds(account.token, { tag })).toEqual(tags.includes(tag) ? [a] : []);
    }
  });
});

describe("Refused bulk updates", () => {
  it.each<[string, object, string[]]>([
    ["no ids", { ids: [], favorite: true }, ["ids"]],
    ["1,001 ids", { ids: numbered(1001), favorite: true }, ["ids"]],
    ["ids that are text", { ids: UNKNOWN, favorite: true }, ["ids"]],
    ["ids that are numbers", { ids: [1], favorite: true }, ["ids"]],
    ["ids that are null", { ids: [null], favorite: true }, ["ids"]],
    ["ids left out", { ids: undefined, favorite: true }, ["ids"]],
    ["a tag to add and to take away", { addTags: ["x", "y"], removeTags: ["y"] }, ["addTags", "removeTags"]],
    ["the same tag in two spellings", { addTags: ["é"], removeTags: [" e\u0301 "] }, ["addTags", "removeTags"]],
    ["51 tags", { addTags: numbered(51) }, ["addTags"]],
    ["a tag of 65 characters", { addTags: ["x".repeat(65)] }, ["addTags"]],
    ["a tag with a comma", { addTags: ["a,b"] }, ["addTags"]],
    ["a tag with a control character", { addTags: ["a\u0007b"] }, ["addTags"]],
    ["tags that are text", { addTags: "x" }, ["addTags"]],
    ["tags that are numbers", { addTags: [7] }, ["addTags"]],
    ["tags to take away that are text", { removeTags: "x" }, ["removeTags"]],
    ["a favourite that is no boolean", { favorite: "yes" }, ["favorite"]],
    ["a folder that is no text", { folderId: 7 }, ["folderId"]],
  ])("`POST /images/bulk-update` with %s is refused", async (_, body, names) => {
    const before = await everything();
    await expectInvalid(await requestBulkUpdate(account.token, { ids, ...body }), ...names);
    expect(await everything()).toEqual(before);
  });

  it.each([[[]], [null], ["x"], [1]])("`POST /images/bulk-update` with the body %j is refused", async (body) => {
    expect((await requestBulkUpdate(account.token, body)).status).toBe(400);
  });

  it.each([UNKNOWN, "nowhere", "' OR 1=1 --"])(
    "`POST /images/bulk-update` with the unknown folder %s is refused, and changes nothing",
    async (folderId) => {
      const before = await everything();
      const response = await requestBulkUpdate(account.token, { ids, folderId, addTags: ["x"], favorite: true });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
      expect(await everything()).toEqual(before);
    },
  );
});

it("A bulk move into a folder being deleted leaves all in Root or is 404", async () => {
  for (let round = 0; round < 5; round++) {
    const folderId = await createFolder(account.token, `Short-lived ${round}`);
    const [answer] = await Promise.all([
      requestBulkUpdate(account.token, { ids, folderId, addTags: [`round ${round}`] }),
      deleteFolder(account.token, folderId),
    ]);
    expect([200, 404]).toContain(answer.status);
    const tagged = answer.status === 200 ? 3 : 0;
    expect((await listPage(account.token, { tag: `round ${round}`, folderId: "root" })).pagination.total).toBe(tagged);
    expect((await listPage(account.token, { folderId: "root" })).pagination.total).toBe(3);
  }
});

it.each([{}, { addTags: [] }, { removeTags: [] }, { addTags: [], removeTags: [] }])(
  "`POST /images/bulk-update` with nothing to change (%j) changes nothing",
  async (change) => {
    const before = await everything();
    const response = await requestBulkUpdate(account.token, { ids, ...change });
    expect([response.status, await response.json()]).toEqual([200, { updated: 0 }]);
    expect(await everything()).toEqual(before);
  },
);
