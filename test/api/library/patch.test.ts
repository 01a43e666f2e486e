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
  it("changes what is named, and answers with the media object as it is now", async () => {
    const folderId = await createFolder(account.token, "One");
    const before = await getImage(account.token, id);
    const after = await changeImage(account.token, id, { folderId, tags: ["new", "old"], favorite: true });
    expect(after).toEqual({ ...before, folderId, tags: ["new", "old"], favorite: true });
    expect(await getImage(account.token, id)).toEqual(after);
  });

  it("leaves what is not named", async () => {
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

  it("that changes nothing is answered like any other", async () => {
    const before = await getImage(account.token, id);
    const { folderId, tags, favorite } = before;
    expect(await changeImage(account.token, id, {})).toEqual(before);
    expect(await changeImage(account.token, id, { folderId, tags, favorite })).toEqual(before);
  });

  it("moves the upload from listing to listing, and keeps its place in the order", async () => {
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

  it("works on a trashed upload, which stays in the trash", async () => {
    const folderId = await createFolder(account.token, "One");
    await moveToTrash(account.token, [id]);
    const changes = { folderId, tags: ["kept"], favorite: true };
    expect(await changeImage(account.token, id, changes)).toMatchObject({ ...changes, status: "trash" });
    expect(await listIds(account.token, { status: "trash", folderId, tag: "kept" })).toEqual([id]);
  });

  it("costs no operation and no storage", async () => {
    const response = await patchImage(account.token, id, { favorite: true });
    expect(usageOf(response)).toEqual({ storage: 100, operations: 1 });
    await expectConsistent(account.id);
  });

  it("works with an API key that has no scope", async () => {
    await setTier(account.email, "pro");
    const { key } = await createApiKey(account.token);
    expect(await changeImage(key, id, { favorite: true })).toMatchObject({ favorite: true });
  });
});

describe("PATCH /images/:id is refused", () => {
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
  ])("with %s", async (_, changes, names) => {
    const before = await getImage(account.token, id);
    const response = await patchImage(account.token, id, changes);
    if (names.length > 0) await expectInvalid(response, ...names);
    else expect(response.status).toBe(400);
    expect(await getImage(account.token, id)).toEqual(before);
  });

  it.each([[[]], [null], ["x"], [1], [true]])("with the body %j", async (body) => {
    expect((await patchImage(account.token, id, body)).status).toBe(400);
  });

  it.each([UNKNOWN, "nowhere", "", "' OR 1=1 --", "x".repeat(3000), "\0"])(
    "with the unknown folder %.20j, and nothing changes",
    async (folderId) => {
      const before = await getImage(account.token, id);
      const response = await patchImage(account.token, id, { folderId, tags: ["new"], favorite: true });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Folder not found", statusCode: 404 });
      expect(await getImage(account.token, id)).toEqual(before);
    },
  );

  it.each([UNKNOWN, UNKNOWN.toUpperCase(), "1", "%00", "..%2f..", "x".repeat(2000)])(
    "of the unknown image %.30s",
    async (unknown) => {
      const response = await patchImage(account.token, unknown, { favorite: true });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Image not found", statusCode: 404 });
    },
  );

  it("of a deleted image", async () => {
    await deleteImage(account.token, id);
    expect((await patchImage(account.token, id, { favorite: true })).status).toBe(404);
  });
});

describe("changes at the same moment", () => {
  it("of different fields are all kept", async () => {
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

  it("to a folder that is being deleted leave the upload in Root or find no folder", async () => {
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

  it("as its deletion find it or do not, and bring nothing back", async () => {
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
