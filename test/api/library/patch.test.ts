import { beforeEach, describe, expect, it } from "vitest";
import { expectConsistent, usageOf } from "../../support/api/account-state.ts";
import { createApiKey, openAccount, setTier, type TestAccount, uploadOne } from "../../support/api/api.ts";
import {
  changeImage,
  createFolder,
  deleteFolder,
  deleteImage,
  expectInvalid,
  getImage,
  listIds,
  moveToTrash,
  patchImage,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

const UNKNOWN = "01hzy3v7k9q4r5s6t7v8w9x0ya";

let account: TestAccount;
let id: string;

beforeEach(async () => {
  account = await openAccount();
  id = (await uploadOne(account.token, { name: "a.png", bytes: png() }, { tags: "old" }))._id;
});

describe("PATCH /images/:id", () => {
  it("`PATCH /images/:id` changes the given fields, and answers the current media object", async () => {
    const folderId = await createFolder(account.token, "One");
    const before = await getImage(account.token, id);
    const after = await changeImage(account.token, id, { folderId, tags: ["new", "old"], favorite: true });
    expect(after).toEqual({ ...before, folderId, tags: ["new", "old"], favorite: true });
    expect(await getImage(account.token, id)).toEqual(after);
  });

  it("`PATCH /images/:id` keeps the fields that are absent", async () => {
    const folderId = await createFolder(account.token, "One");
    await changeImage(account.token, id, { folderId, favorite: true });
    const steps: [object, object][] = [
      [{ tags: ["x"] }, { folderId, tags: ["x"], favorite: true }],
      [{ favorite: false }, { folderId, tags: ["x"], favorite: false }],
      [{ folderId: null }, { folderId: null, tags: ["x"], favorite: false }],
      [{ tags: [] }, { folderId: null, tags: [], favorite: false }],
    ];
    for (const [changes, expected] of steps) {
      expect(await changeImage(account.token, id, changes)).toMatchObject(expected);
    }
  });

  it("`PATCH /images/:id` that changes nothing is answered in the same way", async () => {
    const before = await getImage(account.token, id);
    const { folderId, tags, favorite } = before;
    expect(await changeImage(account.token, id, {})).toEqual(before);
    expect(await changeImage(account.token, id, { folderId, tags, favorite })).toEqual(before);
  });

  it("`PATCH /images/:id` moves the upload to another listing, and keeps its place in the order", async () => {
    const newer = await uploadOne(account.token, { name: "b.png", bytes: png() });
    const folderId = await createFolder(account.token, "One");
    await changeImage(account.token, id, { folderId });
    expect(await listIds(account.token)).toEqual([newer._id]);
    expect(await listIds(account.token, { folderId })).toEqual([id]);
    await changeImage(account.token, newer._id, { folderId });
    expect(await listIds(account.token, { folderId })).toEqual([newer._id, id]);
    await changeImage(account.token, id, { favorite: true });
    expect(await listIds(account.token, { favorite: true, folderId: "all" })).toEqual([id]);
  });

  it("`PATCH /images/:id` works on a trashed upload, which stays in the trash", async () => {
    const folderId = await createFolder(account.token, "One");
    await moveToTrash(account.token, [id]);
    const changes = { folderId, tags: ["kept"], favorite: true };
    expect(await changeImage(account.token, id, changes)).toMatchObject({ ...changes, status: "trash" });
    expect(await listIds(account.token, { status: "trash", folderId, tag: "kept" })).toEqual([id]);
  });

  it("`PATCH /images/:id` costs no operation and no storage", async () => {
    const response = await patchImage(account.token, id, { favorite: true });
    expect(usageOf(response)).toEqual({ storage: 100, operations: 1 });
    await expectConsistent(account.id);
  });

  it("`PATCH /images/:id` accepts an API key without scopes", async () => {
    await setTier(account.email, "pro");
    const { key } = await createApiKey(account.token);
    expect(await changeImage(key, id, { favorite: true })).toMatchObject({ favorite: true });
  });
});

describe("Refused changes", () => {
  it.each([
    ["an unknown field", { status: "trash" }, []],
    ["an unknown field beside a known one", { favorite: true, name: "x" }, []],
    ["a name of its own", { favorite: true, filename: "x" }, []],
    ["a folder that is no id", { folderId: 7 }, ["folderId"]],
    ["a list of folders", { folderId: ["x"] }, ["folderId"]],
    ["a favourite that is no boolean", { favorite: "true" }, ["favorite"]],
    ["a favourite that is a number", { favorite: 1 }, ["favorite"]],
    ["a favourite that is null", { favorite: null }, ["favorite"]],
    ["tags that are text", { tags: "a,b" }, ["tags"]],
    ["tags that are null", { tags: null }, ["tags"]],
    ["tags that are numbers", { tags: ["a", 1] }, ["tags"]],
  ])("`PATCH /images/:id` with %s is refused", async (_, changes, names) => {
    const before = await getImage(account.token, id);
    const response = await patchImage(account.token, id, changes);
    if (names.length > 0) await expectInvalid(response, ...names);
    else expect(response.status).toBe(400);
    expect(await getImage(account.token, id)).toEqual(before);
  });

  it.each([[[]], [null], ["x"], [1], [true]])("`PATCH /images/:id` with the body %j is refused", async (body) => {
    expect((await patchImage(account.token, id, body)).status).toBe(400);
  });

  it.each([UNKNOWN, "nowhere", "", "' OR 1=1 --", "x".repeat(3000), "\0"])(
    "`PATCH /images/:id` with the unknown folder %.20j is refused, and changes nothing",
    async (folderId) => {
      const before = await getImage(account.token, id);
      const response = await patchImage(account.token, id, { folderId, tags: ["new"], favorite: true });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
      expect(await getImage(account.token, id)).toEqual(before);
    },
  );

  it.each([UNKNOWN, UNKNOWN.toUpperCase(), "1", "%00", "..%2f..", "x".repeat(2000)])(
    "`PATCH /images/:id` of the unknown image %.30s is refused",
    async (unknown) => {
      const response = await patchImage(account.token, unknown, { favorite: true });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Image not found", code: "image_not_found", statusCode: 404 });
    },
  );

  it("`PATCH /images/:id` of a deleted image is refused", async () => {
    await deleteImage(account.token, id);
    expect((await patchImage(account.token, id, { favorite: true })).status).toBe(404);
  });
});

describe("Simultaneous changes", () => {
  it("Simultaneous changes of different fields are all kept", async () => {
    const folderId = await createFolder(account.token, "One");
    for (let round = 0; round < 3; round++) {
      const favorite = round % 2 === 0;
      const tags = [`round ${round}`];
      await Promise.all(
        [{ favorite }, { tags }, { folderId }].map((changes) => changeImage(account.token, id, changes)),
      );
      expect(await getImage(account.token, id)).toMatchObject({ favorite, tags, folderId });
      await changeImage(account.token, id, { folderId: null });
    }
  });

  it("Simultaneous moves to a folder being deleted leave the upload in Root or are 404", async () => {
    for (let round = 0; round < 5; round++) {
      const folderId = await createFolder(account.token, `Short-lived ${round}`);
      const [answer] = await Promise.all([
        patchImage(account.token, id, { folderId }),
        deleteFolder(account.token, folderId),
      ]);
      expect([200, 404]).toContain(answer.status);
      expect(await getImage(account.token, id)).toMatchObject({ folderId: null });
    }
  });

  it("A change during a deletion succeeds or is 404, and restores nothing", async () => {
    const [answer, deleted] = await Promise.all([
      patchImage(account.token, id, { tags: ["late"], favorite: true }),
      deleteImage(account.token, id),
    ]);
    expect([200, 404]).toContain(answer.status);
    expect(deleted.status).toBe(200);
    expect(await listIds(account.token, { status: "all" })).toEqual([]);
    expect(await listIds(account.token, { tag: "late", status: "all" })).toEqual([]);
    await expectConsistent(account.id);
  });
});
