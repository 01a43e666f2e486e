import { describe, expect, it } from "vitest";
import { expectConsistent, readMeter, storedKeys } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, upload, uploadOne } from "../../support/api/api.ts";
import { writePng } from "../../support/png/write-png.ts";
import { begin, patch } from "../../support/uploads/tus.ts";
import type { UploadResult } from "../../support/uploads/upload-result.ts";
import { createToken } from "../../support/uploads/upload-tokens.ts";

// COMP-8: `compress` decides for one request in place of the account's setting.

const picture = new Uint8Array(
  writePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, pixel: (x) => [x, 30, 200] }),
);
const file = { name: "a.png", bytes: picture };

type Send = (token: string, compress: string) => Promise<UploadResult>;

const byForm: Send = (token, compress) => uploadOne(token, file, { compress });

const byRawBody: Send = async (token, compress) => {
  const path = `/images/upload?filename=a.png&compress=${compress}`;
  return (await call(path, { method: "POST", headers: bearer(token), body: picture })).json();
};

const byTus: Send = async (token, compress) => {
  const path = await begin(token, picture.length, { filename: "a.png", compress });
  await patch(token, path, 0, picture.subarray(0, 50));
  return (await patch(token, path, 50, picture.subarray(50))).json();
};

const byReplacement: Send = async (token, compress) => {
  const { _id } = await uploadOne(token, { name: "old.png", bytes: picture }, { compress: "false" });
  const form = new FormData();
  form.append("compress", compress);
  form.append("file", new File([picture], "a.png"));
  return (await call(`/images/${_id}/content`, { method: "PUT", headers: bearer(token), body: form })).json();
};

const byRawReplacement: Send = async (token, compress) => {
  const { _id } = await uploadOne(token, { name: "old.png", bytes: picture }, { compress: "false" });
  const path = `/images/${_id}/content?compress=${compress}`;
  return (await call(path, { method: "PUT", headers: bearer(token), body: picture })).json();
};

describe("`compress` (COMP-8)", () => {
  it.each([
    ["A form", byForm],
    ["A raw body", byRawBody],
    ["A resumable upload", byTus],
    ["A form that replaces a file", byReplacement],
    ["A raw body that replaces a file", byRawReplacement],
  ])("%s is compressed or not as it says, whatever the setting", async (_, send) => {
    const account = await openAccount();
    for (const autoCompress of [false, true]) {
      await callJson("PATCH", "/settings", account.token, { autoCompress, compressionQuality: 70 });
      const compressed = await send(account.token, "true");
      expect(compressed).toMatchObject({ compressed: true, compressionQuality: 70, originalFileSize: picture.length });
      expect(compressed.fileSize).toBeLessThan(picture.length);
      expect(await send(account.token, "false")).toMatchObject({ compressed: false, fileSize: picture.length });
      expect(await send(account.token, "")).toMatchObject({ compressed: autoCompress });
    }
    await expectConsistent(account.id);
  });

  it("Values that are not true or false are 400, and nothing is stored", async () => {
    const { id, token } = await openAccount();
    const refused = { statusCode: 400, code: "invalid_request", details: { compress: "Must be true or false" } };
    const form = await upload(token, [file], { compress: "yes" });
    expect(await form.json()).toMatchObject(refused);
    const headers = bearer(token);
    const raw = await call("/images/upload?compress=1", { method: "POST", headers, body: picture });
    expect(await raw.json()).toMatchObject(refused);
    const { _id } = await uploadOne(token, file);
    const replacement = await call(`/images/${_id}/content?compress=1`, { method: "PUT", headers, body: picture });
    expect(await replacement.json()).toMatchObject(refused);
    expect(await storedKeys(id)).toHaveLength(1);
    expect(await readMeter(id)).toMatchObject({ usedTenths: 10, storageBytes: picture.length });
  });

  it("A form that sends it after a file is 400, and nothing is stored", async () => {
    const { id, token } = await openAccount();
    const form = new FormData();
    form.append("file", new File([picture], "a.png"));
    form.append("compress", "true");
    const answer = await call("/images/upload", { method: "POST", headers: bearer(token), body: form });
    expect(await answer.json()).toMatchObject({ statusCode: 400, details: { compress: "Must come before the file" } });
    expect(await storedKeys(id)).toEqual([]);
    expect(await readMeter(id)).toMatchObject({ usedTenths: 0, storageBytes: 0 });
  });

  it("The setting decides for an upload token's files, whatever the visitor sends", async () => {
    const { token } = await openProAccount();
    await callJson("PATCH", "/settings", token, { autoCompress: true });
    const { token: visitor } = await createToken(token, {});
    for (const send of [byForm, byRawBody, byTus]) {
      expect(await send(visitor, "false")).toMatchObject({ compressed: true });
    }
  });

  it("A repeat with another `compress` under the same key is 422", async () => {
    const { token } = await openAccount();
    const send = (compress: string) =>
      call(`/images/upload?filename=a.png&compress=${compress}`, {
        method: "POST",
        headers: { ...bearer(token), "Idempotency-Key": '"compress-once"' },
        body: picture,
      });
    const first = await send("true");
    expect(await (await send("true")).json()).toEqual(await first.json());
    expect((await send("false")).status).toBe(422);
  });
});
