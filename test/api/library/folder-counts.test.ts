import { beforeEach, describe, expect, it } from "vitest";
import { openAccount, type TestAccount, upload, uploadOne } from "../../support/api/api.ts";
import {
  bulkUpdate,
  changeImage,
  createFolder,
  deleteFolder,
  deleteImage,
  listFolders,
  listIds,
  moveToTrash,
  restore,
  uploadMany,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

let account: TestAccount;
let outer: string;
let inner: string;

beforeEach(async () => {
  account = await openAccount("business");
  outer = await createFolder(account.token, "Outer");
  inner = await createFolder(account.token, "Inner", outer);
});

async function counts(): Promise<Record<string, number>> {
  return Object.fromEntries((await listFolders(account.token)).map(({ name, itemCount }) => [name, itemCount]));
}

describe("Folder counts", () => {
  it("A folder's count is of the active uploads directly in it, after any change to them", async () => {
    const { token } = account;
    const files = ["a", "b", "c"].map((name) => ({ name, bytes: png() }));
    const [a, b, c] = (await uploadMany(token, files, { folderId: inner })).map(({ _id }) => _id);
    const ids = [a ?? "", b ?? "", c ?? ""];
    expect(await counts()).toEqual({ Outer: 0, Inner: 3 });
    await changeImage(token, ids[0] ?? "", { folderId: outer });
    expect(await counts()).toEqual({ Outer: 1, Inner: 2 });
    await moveToTrash(token, ids.slice(0, 2));
    expect(await counts()).toEqual({ Outer: 0, Inner: 1 });
    await bulkUpdate(token, { ids, folderId: outer });
    expect(await counts()).toEqual({ Outer: 1, Inner: 0 });
    await restore(token, ids);
    expect(await counts()).toEqual({ Outer: 3, Inner: 0 });
    await deleteImage(token, ids[1] ?? "");
    expect(await counts()).toEqual({ Outer: 2, Inner: 0 });
    await bulkUpdate(token, { ids, folderId: null });
    expect(await counts()).toEqual({ Outer: 0, Inner: 0 });
  });

  it("A folder's count excludes an upload that failed", async () => {
    const files = [
      { name: "good.png", bytes: png() },
      { name: "bad.png", bytes: new Uint8Array([1, 2, 3]) },
    ];
    expect((await upload(account.token, files, { folderId: outer })).status).toBe(201);
    expect((await upload(account.token, files.slice(1), { folderId: outer })).status).toBe(415);
    expect(await counts()).toEqual({ Outer: 1, Inner: 0 });
  });
});

it("A folder deleted with its subfolders leaves all uploads, trashed ones too, in Root", async () => {
  const { token } = account;
  const kept = await createFolder(token, "Kept");
  const place = async (folderId: string) => (await uploadOne(token, { name: "x.png", bytes: png() }, { folderId }))._id;
  const [inOuter, inInner, trashed, inKept] = [
    await place(outer),
    await place(inner),
    await place(inner),
    await place(kept),
  ];
  await moveToTrash(token, [trashed]);
  expect(await deleteFolder(token, outer)).toEqual({
    message: expect.any(String),
    deletedFolders: 2,
    movedUploads: 3,
  });
  expect(await counts()).toEqual({ Kept: 1 });
  expect(await listIds(token)).toEqual([inInner, inOuter]);
  expect(await listIds(token, { folderId: kept })).toEqual([inKept]);
  expect(await listIds(token, { folderId: "root", status: "trash" })).toEqual([trashed]);
  await restore(token, [trashed]);
  expect(await listIds(token)).toEqual([trashed, inInner, inOuter]);
});
