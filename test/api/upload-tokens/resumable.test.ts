import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { MAX_UNFINISHED } from "../../../src/domain/resumable.ts";
import { expectConsistent, meterOf, replayTwice } from "../../support/api/account-state.ts";
import { call, openAccount, uploadOne } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";
import { begin, create, head, metadata, offsetOf, patch, remove } from "../../support/uploads/tus.ts";
import { createToken, outcomeOf, usesOf } from "../../support/uploads/upload-tokens.ts";

const FILM = mp4(4000);
const USED_UP = [403, "upload_token_used_up"];

function interruptedUpload(accountId: string, tokenId: string): InterruptedUpload {
  const upload = new InterruptedUpload(accountId, "image", 1000);
  upload.tokenId = tokenId;
  return upload;
}

describe("Resumable uploads with a token", () => {
  it("A token creates, continues and asks about an upload of its own", async () => {
    const { uploadKey } = await openAccount();
    const { token, _id } = await createToken(uploadKey, { maxFiles: 1, maxBytes: 4000 });
    const path = await begin(token, FILM.length);
    expect((await patch(token, path, 0, FILM.subarray(0, 1000))).status).toBe(204);
    expect(await offsetOf(token, path)).toBe(1000);
    expect(await usesOf(uploadKey, _id)).toEqual([0, 0]);
    expect((await patch(token, path, 1000, FILM.subarray(1000))).status).toBe(200);
    expect(await usesOf(uploadKey, _id)).toEqual([1, 4000]);
    expect(await outcomeOf(await create(token, { "Upload-Length": "5" }))).toEqual(USED_UP);
  });

  it("A token reaches neither the uploads of other tokens nor those of the account", async () => {
    const { uploadKey } = await openAccount();
    const [one, two] = [await createToken(uploadKey), await createToken(uploadKey)];
    for (const path of [await begin(one.token, 4000), await begin(uploadKey, 4000)]) {
      expect((await head(two.token, path)).status).toBe(404);
      expect((await patch(two.token, path, 0, FILM.subarray(0, 10))).status).toBe(404);
      expect((await remove(two.token, path)).status).toBe(404);
    }
  });

  it("An unfinished upload holds its share, and gives it back when it is cancelled", async () => {
    const { uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey, { maxFiles: 1 });
    const path = await begin(token, FILM.length);
    expect(await outcomeOf(await create(token, { "Upload-Length": "5" }))).toEqual(USED_UP);
    expect((await remove(token, path)).status).toBe(204);
    await begin(token, FILM.length);
  });

  it("Reserved bytes of an unfinished upload count", async () => {
    const { uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey, { maxBytes: 5000 });
    expect(await outcomeOf(await create(token, { "Upload-Length": "5001" }))).toEqual(USED_UP);
    await begin(token, 4950);
    expect(await outcomeOf(await create(token, { "Upload-Length": "100" }))).toEqual(USED_UP);
    await begin(token, 50);
  });

  it("An upload whose length is not declared stops at maxBytes", async () => {
    const { uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey, { maxBytes: 1000 });
    const created = await create(token, {
      "Upload-Defer-Length": "1",
      "Upload-Metadata": metadata({ filename: "a.mp4" }),
    });
    const path = created.headers.get("Location") ?? "";
    expect(await outcomeOf(await patch(token, path, 0, FILM.subarray(0, 2000)))).toEqual(USED_UP);
    expect((await patch(token, path, 0, FILM.subarray(0, 900))).status).toBe(204);
    expect(await outcomeOf(await patch(token, path, 900, FILM.subarray(900, 2000)))).toEqual(USED_UP);
  });

  it("A type that the token does not allow deletes the upload", async () => {
    const { uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey, { types: ["image/*"], maxFiles: 1 });
    const path = await begin(token, FILM.length);
    expect(await outcomeOf(await patch(token, path, 0, FILM))).toEqual([415, "type_not_allowed"]);
    expect((await head(token, path)).status).toBe(404);
    await uploadOne(token, { name: "a.png", bytes: png() });
  });

  it("A page of another origin cannot continue an upload", async () => {
    const { uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey, { origins: ["https://shop.example"] });
    const path = await begin(token, FILM.length);
    const refused = await patch(token, path, 0, FILM, { Origin: "https://evil.example" });
    expect(await outcomeOf(refused)).toEqual([403, "origin_not_allowed"]);
    expect((await patch(token, path, 0, FILM, { Origin: "https://shop.example" })).status).toBe(200);
  });

  it("Visitors have half of the account's unfinished uploads", async () => {
    const { token: session } = await openAccount("business");
    const { token } = await createToken(session);
    for (let n = 0; n < MAX_UNFINISHED / 2; n++) await begin(token, 100);
    expect(await outcomeOf(await create(token, { "Upload-Length": "5" }))).toEqual([400, "count_limit_reached"]);
    await begin(session, 100);
  });

  it("An upload that the alarm finishes counts once", async () => {
    const account = await openAccount();
    const { token, _id } = await createToken(account.uploadKey, { maxFiles: 1 });
    const path = await begin(token, FILM.length);
    await patch(token, path, 0, FILM);
    await runDurableObjectAlarm(meterOf(account.id));
    await replayTwice(account.id);
    expect(await usesOf(account.uploadKey, _id)).toEqual([1, 4000]);
  });
});

describe("Uploads of a token that are interrupted", () => {
  const reserve = async (
    accountId: string,
    tokenId: string,
    steps: readonly ("reserve" | "put" | "insertRow" | "settle")[],
  ) => {
    const upload = interruptedUpload(accountId, tokenId);
    for (const step of steps) await upload[step]();
    return upload;
  };

  it("An interrupted upload without a row gives its share back when it is undone", async () => {
    const account = await openAccount();
    const { _id } = await createToken(account.uploadKey, { maxFiles: 1, maxBytes: 1000 });
    await reserve(account.id, _id, ["reserve", "put"]);
    const other = interruptedUpload(account.id, _id);
    expect(await other.reserve()).toMatchObject({ outcome: "token-used-up", limit: { maxFiles: 1 } });
    await replayTwice(account.id);
    expect(await usesOf(account.uploadKey, _id)).toEqual([0, 0]);
    expect(await other.reserve()).toMatchObject({ outcome: "reserved" });
  });

  it("An interrupted upload with a row keeps its share when it is finished", async () => {
    const account = await openAccount();
    const { _id } = await createToken(account.uploadKey, { maxFiles: 1 });
    await reserve(account.id, _id, ["reserve", "put", "insertRow"]);
    await replayTwice(account.id);
    expect(await usesOf(account.uploadKey, _id)).toEqual([1, 1000]);
    await expectConsistent(account.id);
  });

  it("An upload that is taken back after it was settled gives its share back", async () => {
    const account = await openAccount();
    const { _id } = await createToken(account.uploadKey, { maxFiles: 1 });
    const upload = await reserve(account.id, _id, ["reserve", "put", "insertRow", "settle"]);
    expect(await usesOf(account.uploadKey, _id)).toEqual([1, 1000]);
    const { uploadId } = upload;
    await meterOf(account.id).giveUp([{ uploadId, objectKeys: [upload.objectKey] }]);
    await meterOf(account.id).release([uploadId]);
    expect(await usesOf(account.uploadKey, _id)).toEqual([0, 0]);
  });

  it("A token that is revoked since its request was admitted reserves nothing", async () => {
    const account = await openAccount();
    const { _id } = await createToken(account.uploadKey);
    const upload = interruptedUpload(account.id, _id);
    await meterOf(account.id).revokeUploadToken(_id);
    expect(await upload.reserve()).toMatchObject({ outcome: "refused" });
  });

  it("A token's count survives the loss of the object's memory", async () => {
    const account = await openAccount();
    const { _id, token } = await createToken(account.uploadKey, { maxFiles: 1 });
    await reserve(account.id, _id, ["reserve"]);
    await evictDurableObject(meterOf(account.id));
    const response = await call("/images/upload?filename=a.png", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "image/png" },
      body: png(),
    });
    expect(await outcomeOf(response)).toEqual(USED_UP);
  });
});
