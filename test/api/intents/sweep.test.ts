import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Upload } from "../../../src/db/library/schema.ts";
import {
  expectConsistent,
  expectNothingLeft,
  listSweeps,
  meterOf,
  readMeter,
  replayIntents,
  storedKeys,
} from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

async function putUpload() {
  const account = await openAccount();
  const upload = new InterruptedUpload(account.id, "image");
  await upload.reserve();
  await upload.put();
  return { account, upload };
}

const giveUp = (accountId: string, { uploadId, objectKey }: InterruptedUpload) =>
  meterOf(accountId).giveUp([{ uploadId, objectKeys: [objectKey] }]);

describe("Requests that outlive their upload", () => {
  it("A request killed after it wrote row and file of an undone upload leaves nothing", async () => {
    const { account, upload } = await putUpload();
    await replayIntents(account.id);
    await upload.put();
    await upload.insertRow();
    expect(await listSweeps(account.id)).toHaveLength(1);
    await replayIntents(account.id);
    await expectNothingLeft(account.id);
    expect(await listSweeps(account.id)).toEqual([]);
  });

  it("A request killed after its settling was answered as missing leaves nothing", async () => {
    const { account, upload } = await putUpload();
    await replayIntents(account.id);
    await replayIntents(account.id);
    await upload.put();
    await upload.insertRow();
    const { uploadId, objectKey } = upload;
    const settled = { uploadId, sizeBytes: 1000, row: { objectKey } as Upload };
    expect((await meterOf(account.id).settleUploads([settled])).missing).toEqual([uploadId]);
    await replayIntents(account.id);
    await expectNothingLeft(account.id);
  });
});

describe("Requests that give up", () => {
  it("A request killed after it gave up its upload leaves the clean-up to the alarm", async () => {
    const { account, upload } = await putUpload();
    await upload.insertRow();
    await giveUp(account.id, upload);
    expect((await readMeter(account.id)).intents).toEqual([]);
    await replayIntents(account.id);
    await expectNothingLeft(account.id);
  });

  it("A request that gives up its upload reverses the alarm's count", async () => {
    const { account, upload } = await putUpload();
    await upload.insertRow();
    await replayIntents(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 1000, usedTenths: 10 });
    await giveUp(account.id, upload);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0 });
    await replayIntents(account.id);
    await expectNothingLeft(account.id);
    await expectConsistent(account.id);
  });

  it("A request that gives up its upload and cleans up leaves nothing to sweep", async () => {
    const { account, upload } = await putUpload();
    await giveUp(account.id, upload);
    await env.FILES.delete(upload.objectKey);
    await meterOf(account.id).release([upload.uploadId]);
    expect(await listSweeps(account.id)).toEqual([]);
  });
});

it("A stored upload is not swept", async () => {
  const { account, upload } = await putUpload();
  await replayIntents(account.id);
  // The same upload is announced again before the sweep.
  await upload.reserve();
  await upload.put();
  await upload.insertRow();
  expect((await upload.settle()).missing).toEqual([]);
  await replayIntents(account.id);
  expect(await storedKeys(account.id)).toEqual([upload.objectKey]);
  await expectConsistent(account.id);
});
