import { beforeAll, describe, expect, it } from "vitest";
import { openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import {
  bulkUpdate,
  createFolder,
  deleteImage,
  listIds,
  listPage,
  moveToTrash,
  type Query,
  requestBulkUpdate,
  restore,
  uploadMany,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

describe("Place of a search", () => {
  let owner: TestAccount;
  let folderId: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    owner = await openAccount("business");
    folderId = await createFolder(owner.token, "Needle");
    for (const name of ["rootActive", "folderActive", "rootTrash", "folderTrash"]) {
      const fields = { folderId: name.startsWith("folder") ? folderId : "root" };
      ids[name] = (await uploadOne(owner.token, { name: `needle-${name}.png`, bytes: png() }, fields))._id;
    }
    await uploadMany(owner.token, [{ name: "hay.png", bytes: png() }]);
    await moveToTrash(owner.token, [ids.rootTrash ?? "", ids.folderTrash ?? ""]);
  });

  it.each<[Query, string[]]>([
    [{}, ["folderActive", "rootActive"]],
    [{ status: "active" }, ["folderActive", "rootActive"]],
    [{ status: "trash" }, ["folderTrash", "rootTrash"]],
    [{ status: "all" }, ["folderTrash", "rootTrash", "folderActive", "rootActive"]],
    [{ folderId: "root" }, ["rootActive"]],
    [{ folderId: "all" }, ["folderActive", "rootActive"]],
    [{ folderId: "FOLDER" }, ["folderActive"]],
    [{ folderId: "FOLDER", status: "trash" }, ["folderTrash"]],
    [{ folderId: "root", status: "all" }, ["rootTrash", "rootActive"]],
  ])("A search with %j looks there, and by default in every folder", async (query, expected) => {
    const place = query.folderId === "FOLDER" ? { folderId } : {};
    for (const q of ["needle", "NEEDLE-", "le"]) {
      expect(await listIds(owner.token, { ...query, ...place, q })).toEqual(expected.map((name) => ids[name]));
    }
  });

  it("A search without words lists Root, like a listing without `q`", async () => {
    expect(await listIds(owner.token, { q: "  " })).toEqual(await listIds(owner.token));
  });

  it("A search shows new uploads, and no deleted ones, at once", async () => {
    const q = "quixotic";
    const [result] = await uploadMany(owner.token, [{ name: "Quixotic.png", bytes: png() }], { folderId });
    const id = result?._id ?? "";
    expect(await listIds(owner.token, { q })).toEqual([id]);
    await moveToTrash(owner.token, [id]);
    expect(await listIds(owner.token, { q })).toEqual([]);
    expect(await listIds(owner.token, { q, status: "trash" })).toEqual([id]);
    await restore(owner.token, [id]);
    await bulkUpdate(owner.token, { ids: [id], folderId: null, favorite: true });
    expect(await listIds(owner.token, { q, folderId: "root", favorite: true })).toEqual([id]);
    expect((await deleteImage(owner.token, id)).status).toBe(200);
    expect(await listIds(owner.token, { q, status: "all" })).toEqual([]);
    expect(await listIds(owner.token, { q: id, status: "all" })).toEqual([]);
  });
});

describe("Several words", () => {
  it("Several words match if all are in a name, in any order, with other text between them", async () => {
    const owner = await openAccount("business");
    const names = ["Harbour at night.png", "night-train, harbour.png", "harbour.png", "night.png"];
    const results = await uploadMany(
      owner.token,
      names.map((name) => ({ name, bytes: png() })),
    );
    const [first, second] = results.map(({ _id }) => _id);
    for (const q of ["harbour night", "night harbour", "NIGHT  hárb", "ht our"]) {
      expect(await listIds(owner.token, { q }), q).toEqual([second, first]);
    }
    expect(await listIds(owner.token, { q: "harbour night train" })).toEqual([second]);
    expect(await listIds(owner.token, { q: "harbour day" })).toEqual([]);
    const filter = { q: "night harbour", folderId: "all" };
    const update = await requestBulkUpdate(owner.token, { filter, addTags: ["both"] });
    expect(await update.json()).toMatchObject({ updated: 2 });
    expect(await listIds(owner.token, { q: "both" })).toEqual([second, first]);
  });
});

describe("Tags", () => {
  it("A tag is found by its whole text only; a file that matches in both ways is shown once", async () => {
    const owner = await openAccount("business");
    const bytes = png();
    const [byTag, byBoth, byName] = await uploadMany(owner.token, [
      { name: "_.png", bytes },
      { name: "our Ötzi.png", bytes },
      { name: "ötzi's.png", bytes },
    ]);
    const ids = [byTag?._id ?? "", byBoth?._id ?? ""];
    await bulkUpdate(owner.token, { ids, addTags: ["Ötzi", "!?", "two words", "%"] });
    await bulkUpdate(owner.token, { ids: [byBoth?._id], addTags: ["!?*"] });
    const [first = "", second = ""] = ids;
    expect(await listIds(owner.token, { q: "Ötzi" })).toEqual([byName?._id, second, first]);
    expect(await listIds(owner.token, { q: "O\u0308tzi" })).toEqual([byName?._id, second, first]);
    expect(await listIds(owner.token, { q: "ÖTZI" })).toEqual([byName?._id, second]);
    expect(await listIds(owner.token, { q: "!?" })).toEqual([second, first]);
    expect(await listIds(owner.token, { q: "!?*" })).toEqual([second]);
    expect(await listIds(owner.token, { q: "!" })).toEqual([]);
    expect(await listIds(owner.token, { q: "%" })).toEqual([second, first]);
    expect(await listIds(owner.token, { q: " two words " })).toEqual([second, first]);
    expect(await listIds(owner.token, { q: "two word" })).toEqual([]);
    expect(await listIds(owner.token, { q: "TWO WORDS" })).toEqual([]);
    expect(await listIds(owner.token, { q: "!?", excludeTags: "!?*" })).toEqual([first]);
    expect((await listPage(owner.token, { q: "Ötzi", limit: 1 })).pagination).toMatchObject({
      total: 3,
      totalPages: 3,
    });
  });
});
