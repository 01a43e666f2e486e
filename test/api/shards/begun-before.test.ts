import { describe, expect, it } from "vitest";
import type { Shard } from "../../../src/domain/ids.ts";
import { meterOf, readMeter, replayIntents } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { inLibraries, libraries, shardOf } from "../../support/api/databases.ts";
import { deleteImage, listIds } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { reconcile } from "../../support/reconcile/reconcile.ts";
import { move, otherShard } from "../../support/shards/move.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";
import { multipartBody } from "../../support/uploads/multipart.ts";
import { begin, patch } from "../../support/uploads/tus.ts";

// The id of an upload names the shard in which it was made. An upload may begin there and end after its library has moved.

const MIB = 1024 * 1024;
const FORM = "multipart/form-data; boundary=edge";
const PICTURE = { name: "file", filename: "a.png", content: png() };
const LARGE = { name: "file", filename: "film.mp4", content: mp4(9 * MIB) };

/** A request whose body arrives when the test calls `finish`. */
function startUpload({ uploadKey }: TestAccount, type: string, body: Uint8Array) {
  const [isAdmitted, mayCome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stream = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      isAdmitted.resolve();
      await mayCome.promise;
      controller.enqueue(new Uint8Array(body));
      controller.close();
    },
  });
  const headers = { ...bearer(uploadKey), "Content-Type": type };
  const answer = call("/images/upload", { method: "POST", headers, body: stream });
  return { isAdmitted: isAdmitted.promise, finish: () => mayCome.resolve(), answer };
}

async function askBy({ token }: TestAccount, uploadId: string): Promise<number> {
  return (await call(`/images/${uploadId}`, { headers: bearer(token) })).status;
}

async function openBoth() {
  const [account, stranger] = [await openAccount(), await openAccount()];
  return { account, stranger, from: await shardOf(account.id), to: await otherShard(account.id) };
}

/**
 * The state of an upload: it belongs to the account, belongs to another account for a stranger, and is unknown to both after its deletion.
 */
async function expectKnown({ account, stranger }: Awaited<ReturnType<typeof openBoth>>, id: string): Promise<void> {
  expect([await askBy(account, id), await askBy(stranger, id)]).toEqual([200, 403]);
  await replayIntents(account.id);
  expect([await askBy(account, id), await askBy(stranger, id)]).toEqual([200, 403]);
  expect((await reconcile(account.id, false)).findings.filter(({ kind }) => kind.startsWith("moved"))).toEqual([]);
  expect((await deleteImage(account.token, id)).status).toBe(200);
  expect([await askBy(account, id), await askBy(stranger, id)]).toEqual([404, 404]);
  await expectForgotten(account);
}

async function expectForgotten({ id }: TestAccount): Promise<void> {
  expect(await inLibraries("SELECT id FROM moved_uploads WHERE account_id = ?", id)).toEqual([]);
}

/** An upload that is announced after its library has moved, under an id that names the old shard. */
async function reserveAfterMove(account: TestAccount, from: Shard, to: Shard): Promise<InterruptedUpload> {
  const upload = new InterruptedUpload(account.id, "image", 1000, from);
  await move(account.email, to);
  await upload.reserve();
  await upload.put();
  return upload;
}

describe("Uploads across a move", () => {
  it.each([
    ["a form", FORM, multipartBody("edge", [PICTURE])],
    ["a form of more than a part", FORM, multipartBody("edge", [LARGE])],
    ["a raw body", "image/png", PICTURE.content],
  ])("An upload across a move is 403 to other accounts, as %s", async (_, type, body) => {
    const both = await openBoth();
    const upload = startUpload(both.account, type, body);
    await upload.isAdmitted;
    expect(await move(both.account.email, both.to)).toEqual({ outcome: "moved" });
    upload.finish();
    expect((await upload.answer).status).toBe(201);
    const [id = ""] = await listIds(both.account.token);
    expect(id.slice(10, 12)).toBe(both.from);
    await expectKnown(both, id);
  });

  it.each([
    ["held as a whole", 1 * MIB],
    ["of more than a part", 9 * MIB],
  ])("An upload in pieces across a move is 403 to other accounts, %s", async (_, length) => {
    const both = await openBoth();
    const { uploadKey, email } = both.account;
    const [path, bytes] = [await begin(uploadKey, length), mp4(length)];
    await patch(uploadKey, path, 0, bytes.slice(0, 300_000));
    await move(email, both.to);
    expect((await patch(uploadKey, path, 300_000, bytes.slice(300_000))).status).toBe(200);
    await expectKnown(both, path.split("/").at(-1) ?? "");
  });

  it("An upload across a move is 403 to other accounts if the alarm finishes it", async () => {
    const both = await openBoth();
    const { account, from, to } = both;
    const upload = await reserveAfterMove(account, from, to);
    await upload.insertRow();
    await replayIntents(account.id);
    await expectKnown(both, upload.uploadId);
  });

  it("An upload across a move is 404 once it was deleted before it was settled", async () => {
    const { account, stranger, from, to } = await openBoth();
    const upload = await reserveAfterMove(account, from, to);
    await upload.insertRow();
    expect((await deleteImage(account.token, upload.uploadId)).status).toBe(200);
    expect([await askBy(account, upload.uploadId), await askBy(stranger, upload.uploadId)]).toEqual([404, 404]);
    await expectForgotten(account);
  });
});

describe("Undone uploads across a move", () => {
  it("An upload undone by its request after a move leaves no record in its first shard", async () => {
    const { account, from, to } = await openBoth();
    const upload = await reserveAfterMove(account, from, to);
    await upload.insertRow();
    await upload.settle();
    expect(await inLibraries("SELECT id FROM moved_uploads WHERE account_id = ?", account.id)).toHaveLength(1);
    const { uploadId, objectKey } = upload;
    await meterOf(account.id).giveUp([{ uploadId, objectKeys: [objectKey] }]);
    await meterOf(account.id).release([uploadId]);
    await expectForgotten(account);
  });

  it("An upload undone by the alarm after a move leaves no record in its first shard", async () => {
    const { account, from, to } = await openBoth();
    const upload = await reserveAfterMove(account, from, to);
    await upload.insertRow();
    await upload.settle();
    const { uploadId, objectKey } = upload;
    await meterOf(account.id).giveUp([{ uploadId, objectKeys: [objectKey] }]);
    await replayIntents(account.id);
    await expectForgotten(account);
    expect((await readMeter(account.id)).storageBytes).toBe(0);
  });
});

it("A comparison repairs an upload that an earlier version left unknown in its first shard", async () => {
  const { account, stranger, from, to } = await openBoth();
  const { uploadId } = await storedUpload(account, from, to);
  await libraries.bindingOf(from).prepare("DELETE FROM moved_uploads WHERE id = ?").bind(uploadId).run();
  expect([await askBy(account, uploadId), await askBy(stranger, uploadId)]).toEqual([200, 404]);
  const { findings } = await reconcile(account.id, true);
  expect(findings).toEqual([{ kind: "moved-missing", subject: uploadId, detail: from, repaired: true }]);
  expect([await askBy(account, uploadId), await askBy(stranger, uploadId)]).toEqual([200, 403]);
});

async function storedUpload(account: TestAccount, from: Shard, to: Shard): Promise<InterruptedUpload> {
  const upload = await reserveAfterMove(account, from, to);
  await upload.insertRow();
  await upload.settle();
  await replayIntents(account.id);
  return upload;
}
