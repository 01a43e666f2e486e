import { describe, expect, it } from "vitest";
import { expectConsistent, leaveIntent, replayTwice } from "../../support/api/account-state.ts";
import type { UploadResult } from "../../support/api/api.ts";
import { inLibraries } from "../../support/api/databases.ts";
import { bulkUpdate, createFolder, listFolders, listIds, listPage, uploadMany } from "../../support/library/api.ts";
import { expectEqualToModel } from "../../support/library/comparison.ts";
import { fileNumber, openLibrary } from "../../support/library/fixture.ts";
import { modelOfWhatIsShown } from "../../support/library/shown.ts";
import { readStats } from "../../support/library/stats.ts";
import { seeded } from "../../support/uploads/multipart.ts";

function deletion({ _id: uploadId, filename: objectKey, fileSize: sizeBytes }: UploadResult) {
  return { kind: "delete", uploadId, objectKey, sizeBytes, keyId: null } as const;
}

describe("Interrupted deletions", () => {
  it.each([
    ["after it was announced", false],
    ["after its row is gone", true],
  ])("A deletion interrupted %s leaves no trace in listing, search, counts and statistics", async (_, rowIsGone) => {
    const { account } = await openLibrary(12);
    const folderId = await createFolder(account.token, "Doomed");
    const results = await uploadMany(account.token, [fileNumber(2, "doomed"), fileNumber(3, "doomed")], {
      folderId,
      tags: "doomed",
    });
    await bulkUpdate(account.token, { ids: results.map(({ _id }) => _id), favorite: true });
    const before = await readStats(account.token);
    for (const result of results) {
      if (rowIsGone) await inLibraries("DELETE FROM uploads WHERE id = ?", result._id);
      await leaveIntent(account.id, deletion(result));
    }
    await replayTwice(account.id);
    for (const query of [{ q: "doomed" }, { tag: "doomed" }, { folderId }]) {
      expect((await listPage(account.token, { status: "all", ...query })).pagination.total).toBe(0);
    }
    expect((await listFolders(account.token)).find(({ _id }) => _id === folderId)?.itemCount).toBe(0);
    expect((await readStats(account.token)).files.total).toBe(before.files.total - 2);
    await expectEqualToModel(account, await modelOfWhatIsShown(account), seeded(1));
    await expectConsistent(account.id);
  });
});

it("An upload interrupted after its row is in listing, search, counts and statistics", async () => {
  const { account } = await openLibrary(6);
  const folderId = await createFolder(account.token, "Kept");
  const [result] = await uploadMany(account.token, [fileNumber(1, "kept")], { folderId, tags: "kept" });
  const { _id, filename } = result as UploadResult;
  await leaveIntent(account.id, { kind: "upload", uploadId: _id, objectKey: filename, keyId: null });
  await replayTwice(account.id);
  expect(await listIds(account.token, { q: "kept" })).toEqual([_id]);
  expect(await listIds(account.token, { tag: "kept", folderId })).toEqual([_id]);
  expect((await listFolders(account.token)).find((folder) => folder._id === folderId)?.itemCount).toBe(1);
});
