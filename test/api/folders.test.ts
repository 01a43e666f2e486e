import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { selectNewest } from "../../src/db/listing/select-newest.ts";
import { meterOf, readMeter } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, uploadOne } from "../support/api/api.ts";
import { libraryOf } from "../support/api/databases.ts";
import { png } from "../support/media/samples.ts";

interface Folder {
  readonly _id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly icon: string | null;
  readonly itemCount: number;
}

async function create(token: string, name: string, parentId: string | null = null): Promise<Folder> {
  const response = await callJson("POST", "/folders", token, { name, parentId });
  expect(response.status).toBe(201);
  return response.json<Folder>();
}

async function list(token: string): Promise<Folder[]> {
  const response = await call("/folders", { headers: bearer(token) });
  expect(response.status).toBe(200);
  return (await response.json<{ folders: Folder[] }>()).folders;
}

const picture = { name: "a.png", bytes: png() };

describe("Folders", () => {
  it("Folders are created, listed by name with their counts, renamed and moved", async () => {
    const { apiKey } = await openProAccount();
    const trips = await create(apiKey, "Trips");
    const alps = await create(apiKey, "Alps 🏔", trips._id);
    expect(alps).toEqual({
      _id: expect.any(String),
      name: "Alps 🏔",
      parentId: trips._id,
      icon: null,
      itemCount: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    await uploadOne(apiKey, picture, { folderId: alps._id });
    expect((await list(apiKey)).map(({ name, itemCount }) => [name, itemCount])).toEqual([
      ["Alps 🏔", 1],
      ["Trips", 0],
    ]);
    const moved = await callJson("PATCH", `/folders/${alps._id}`, apiKey, {
      parentId: null,
      name: "Peaks",
      icon: "star",
    });
    expect(moved.status).toBe(200);
    expect(await moved.json()).toMatchObject({ name: "Peaks", parentId: null, icon: "star", itemCount: 1 });
  });

  it("The four newest active files of each folder are answered at once, and a stranger's folder has none", async () => {
    const [{ token, apiKey }, stranger] = await Promise.all([openProAccount(), openProAccount()]);
    const [full, empty] = [await create(apiKey, "Full"), await create(apiKey, "Empty")];
    const below = await create(apiKey, "Below", full._id);
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.unshift((await uploadOne(apiKey, picture, { folderId: full._id }))._id);
    await uploadOne(apiKey, picture, { folderId: below._id });
    await callJson("POST", "/images/bulk-trash", apiKey, { ids: [ids[1]] });
    const newest = async (query: string, credential = token) => {
      const response = await call(`/folders/newest?ids=${query}`, { headers: bearer(credential) });
      expect(response.status).toBe(200);
      const { folders } = await response.json<{
        folders: { _id: string; images: { _id: string; previewUrl?: string }[] }[];
      }>();
      return folders;
    };
    const asked = `${empty._id},${full._id},${full._id}`;
    const [first, second, ...others] = await newest(asked);
    expect([first, others]).toEqual([{ _id: empty._id, images: [] }, []]);
    expect(second?.images.map(({ _id }) => _id)).toEqual([ids[0], ids[2], ids[3], ids[4]]);
    expect(second?.images[0]?.previewUrl).toContain("/previews/");
    expect((await newest(full._id, apiKey))[0]?.images[0]).not.toHaveProperty("previewUrl");
    expect(await newest(full._id, stranger.token)).toEqual([{ _id: full._id, images: [] }]);
    expect(await newest("")).toEqual([]);
    const many = Array.from({ length: 26 }, (_, at) => `folder${at}`).join();
    const refused = await call(`/folders/newest?ids=${many}`, { headers: bearer(token) });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_query", details: { ids: "At most 25 folders" } }),
    ]);
  });

  it("The newest files of folders are read along an index", async () => {
    const { id: accountId } = await openProAccount();
    const library = await libraryOf(accountId);
    const query = selectNewest(library, { accountId, folderIds: ["one", "two"], perFolder: 4 });
    const plan = await library.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query.getSQL()}`);
    const details = plan.map(({ detail }) => detail).join("\n");
    expect(details).toContain(
      "SEARCH u USING COVERING INDEX uploads_by_folder (folder_id=? AND account_id=? AND status=?)",
    );
    expect(details).toContain("SEARCH uploads USING INTEGER PRIMARY KEY (rowid=?)");
    expect(details).not.toMatch(/SCAN (u|uploads)\b/);
  });

  it("A folder's uploads are in its listing, and no longer in Root's", async () => {
    const { apiKey } = await openProAccount();
    const folder = await create(apiKey, "One");
    const { _id } = await uploadOne(apiKey, picture, { folderId: folder._id });
    const ids = async (query: string) => {
      const response = await call(`/images?${query}`, { headers: bearer(apiKey) });
      return (await response.json<{ images: { _id: string }[] }>()).images.map((image) => image._id);
    };
    expect(await ids(`folderId=${folder._id}`)).toEqual([_id]);
    expect(await ids("folderId=all")).toEqual([_id]);
    expect(await ids("")).toEqual([]);
  });

  it("Deleted folders take their subfolders along; their uploads, trashed ones too, move to Root", async () => {
    const { apiKey } = await openProAccount();
    const top = await create(apiKey, "Top");
    const inner = await create(apiKey, "Inner", top._id);
    const kept = await create(apiKey, "Kept");
    const first = await uploadOne(apiKey, picture, { folderId: top._id });
    const second = await uploadOne(apiKey, picture, { folderId: inner._id });
    await callJson("POST", "/images/bulk-trash", apiKey, { ids: [second._id] });
    const response = await call(`/folders/${top._id}`, { method: "DELETE", headers: bearer(apiKey) });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: expect.any(String), deletedFolders: 2, movedUploads: 2 });
    expect((await list(apiKey)).map(({ _id }) => _id)).toEqual([kept._id]);
    for (const id of [first._id, second._id]) {
      const image = await call(`/images/${id}`, { headers: bearer(apiKey) });
      expect(await image.json()).toMatchObject({ folderId: null });
    }
  });

  it("One of 64 simultaneous deletions of a folder succeeds; the others are 404", async () => {
    const account = await openAccount("business");
    const { _id, name } = await create(account.token, "Crowded");
    const inside = await uploadOne(account.token, picture, { folderId: _id });
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => call(`/folders/${_id}`, { method: "DELETE", headers: bearer(account.token) })),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(bodies.filter((_, at) => answers[at]?.status === 200)).toEqual([
      { message: "Folder deleted successfully", deletedFolders: 1, movedUploads: 1 },
    ]);
    const refused = bodies.filter((_, at) => answers[at]?.status !== 200);
    expect(refused).toEqual(Array(63).fill({ error: "Folder not found", code: "folder_not_found", statusCode: 404 }));
    expect((await list(account.token)).map((folder) => folder.name)).not.toContain(name);
    expect((await call(`/images/${inside._id}`, { headers: bearer(account.token) })).status).toBe(200);
  });

  it("The deletion of a folder succeeds for its own request, even if the call is repeated", async () => {
    const { id, token } = await openProAccount();
    const { _id } = await create(token, "Once");
    const meter = meterOf(id);
    expect(await meter.deleteFolder(_id, "first")).toBe("deleted");
    expect([await meter.deleteFolder(_id, "first"), await meter.deleteFolder(_id, "second")]).toEqual([
      "deleted",
      "gone",
    ]);
    expect((await readMeter(id)).intents).toEqual([]);
  });

  it("Folders refuse a sibling's name, also when two are created at once", async () => {
    const { apiKey } = await openProAccount();
    const parent = await create(apiKey, "Parent");
    const answers = await Promise.all(
      [null, null, parent._id, parent._id].map((parentId) =>
        callJson("POST", "/folders", apiKey, { name: "Same", parentId }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(await refused?.json()).toEqual({
      error: "Invalid folder",
      code: "invalid_folder",
      statusCode: 400,
      details: { name: expect.any(String) },
    });
  });

  it("A folder cannot be moved into itself or its descendants", async () => {
    const { apiKey } = await openProAccount();
    const a = await create(apiKey, "A");
    const b = await create(apiKey, "B", a._id);
    const c = await create(apiKey, "C", b._id);
    for (const parentId of [a._id, b._id, c._id]) {
      const response = await callJson("PATCH", `/folders/${a._id}`, apiKey, { parentId });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ details: { parentId: expect.any(String) } });
    }
  });

  it("Two simultaneous moves cannot make a cycle of folders", async () => {
    const { apiKey } = await openProAccount();
    const a = await create(apiKey, "A");
    const b = await create(apiKey, "B");
    const statuses = await Promise.all([
      callJson("PATCH", `/folders/${a._id}`, apiKey, { parentId: b._id }),
      callJson("PATCH", `/folders/${b._id}`, apiKey, { parentId: a._id }),
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it("Folders nest twenty deep and no deeper, also by moving a whole branch", async () => {
    const { apiKey } = await openProAccount();
    let parentId: string | null = null;
    const path: string[] = [];
    for (let depth = 1; depth <= 20; depth++) {
      parentId = (await create(apiKey, `Level ${depth}`, parentId))._id;
      path.push(parentId);
    }
    expect((await callJson("POST", "/folders", apiKey, { name: "Level 21", parentId })).status).toBe(400);
    const branch = await create(apiKey, "Branch");
    await create(apiKey, "Leaf", branch._id);
    expect((await callJson("PATCH", `/folders/${branch._id}`, apiKey, { parentId: path[18] })).status).toBe(400);
    expect((await callJson("PATCH", `/folders/${branch._id}`, apiKey, { parentId: path[17] })).status).toBe(200);
  });

  it("Folders of another account are 404", async () => {
    const { apiKey } = await openProAccount();
    const stranger = await openAccount();
    const folder = await create(apiKey, "Mine");
    const answers = [
      await callJson("PATCH", `/folders/${folder._id}`, stranger.token, { name: "x" }),
      await call(`/folders/${folder._id}`, { method: "DELETE", headers: bearer(stranger.token) }),
      await callJson("POST", "/folders", stranger.token, { name: "x", parentId: folder._id }),
      await call(`/images?folderId=${folder._id}`, { headers: bearer(stranger.token) }),
      await callJson("PATCH", "/folders/nonsense", apiKey, { name: "x" }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
    }
  });

  it("An account has at most 10,000 folders", async () => {
    const { id: accountId, token } = await openAccount();
    const { _id } = await create(token, "First");
    const library = await libraryOf(accountId);
    // The first folder, and 9,998 like it.
    await library.run(sql`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9998)
      INSERT INTO folders (id, account_id, parent_id, name, created_at, updated_at)
      SELECT substr(id, 1, 21) || printf('%05d', n), account_id, NULL, 'Folder ' || n, created_at, updated_at
      FROM folders, numbers WHERE id = ${_id}`);
    await create(token, "Last");
    const refused = await callJson("POST", "/folders", token, { name: "One more" });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: "count_limit_reached", details: { max: 10_000 } },
    ]);
  });

  it("A folder's name must be present, not too long and without control characters", async () => {
    const { apiKey } = await openProAccount();
    for (const name of [undefined, "", "   ", "x".repeat(101), "a\nb", "\u202egpj", "\ud800", 7]) {
      const response = await callJson("POST", "/folders", apiKey, { name });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ details: { name: expect.any(String) } });
    }
  });

  it("Folders refuse a sibling's name that differs only in encoding", async () => {
    const { apiKey } = await openProAccount();
    expect(await create(apiKey, "Cafe\u0301")).toMatchObject({ name: "Caf\u00e9" });
    expect((await callJson("POST", "/folders", apiKey, { name: "Caf\u00e9" })).status).toBe(400);
  });

  it("A folder refuses unknown fields, and a change without fields changes nothing", async () => {
    const { apiKey } = await openProAccount();
    const folder = await create(apiKey, "Alps");
    for (const change of [{ colour: "red" }, { name: "Peaks", colour: "red" }]) {
      expect((await callJson("PATCH", `/folders/${folder._id}`, apiKey, change)).status).toBe(400);
    }
    const unchanged = await callJson("PATCH", `/folders/${folder._id}`, apiKey, {});
    expect([unchanged.status, await unchanged.json()]).toEqual([200, folder]);
  });
});
