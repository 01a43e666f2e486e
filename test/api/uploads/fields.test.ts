import { describe, expect, it } from "vitest";
import { expectConsistent, expectNothingLeft, insertFolder, usageOf } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type UploadResult, uploadOne } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { type BodyPart, inChunks, multipartBody, streamOf, utf8 } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";

const FILE: BodyPart = { name: "file", filename: "a.png", content: png() };
const LARGE: BodyPart = { name: "file", filename: "a.mp4", content: mp4(6_000_000) };

function field(name: string, value: string): BodyPart {
  return { name, content: utf8(value) };
}

async function send(token: string, parts: readonly BodyPart[]): Promise<Response> {
  return postMultipart(token, multipartBody("edge", parts));
}

async function stored(token: string, parts: readonly BodyPart[]): Promise<UploadResult> {
  const response = await send(token, parts);
  expect(response.status, await response.clone().text()).toBe(201);
  return response.json();
}

describe("folderId", () => {
  it.each([
    ["before the file", (folderId: string) => [field("folderId", folderId), FILE]],
    ["behind the file", (folderId: string) => [FILE, field("folderId", folderId)]],
    ["behind a large file", (folderId: string) => [LARGE, field("folderId", folderId)]],
  ])("`folderId` %s puts the upload into the folder", async (_, parts) => {
    const account = await openAccount();
    const folderId = await insertFolder(account.id);
    expect((await stored(account.uploadKey, parts(folderId))).folderId).toBe(folderId);
    await expectConsistent(account.id);
  });

  it("`folderId` applies to every file of the request", async () => {
    const account = await openAccount();
    const folderId = await insertFolder(account.id);
    const response = await send(account.uploadKey, [FILE, field("folderId", folderId), FILE, field("tags", "x")]);
    const { uploaded } = await response.json<{ uploaded: UploadResult[] }>();
    expect(uploaded.map((result) => [result.folderId, result.tags])).toEqual([
      [folderId, ["x"]],
      [folderId, ["x"]],
    ]);
  });

  it.each(["", "root"])("`folderId` %j is Root", async (value) => {
    const account = await openAccount();
    expect((await stored(account.uploadKey, [field("folderId", value), FILE])).folderId).toBeNull();
  });

  it.each([
    ["unknown", "01hzy3v7k9q4r5s6t7v8w9x0ya"],
    ["no id", "../../etc"],
    ["no text", "\0\ud800"],
    ["hostile", "' OR 1=1 --"],
    ["long", "x".repeat(10_000)],
  ])("`folderId` that is %s is 404, before or after the files, and nothing is stored", async (_, value) => {
    const account = await openAccount();
    for (const parts of [
      [field("folderId", value), FILE],
      [FILE, LARGE, FILE, field("folderId", value)],
    ]) {
      const response = await send(account.uploadKey, parts);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
      expect(usageOf(response)).toEqual({ storage: 0, operations: 0 });
      await expectNothingLeft(account.id);
    }
  });

  it("`folderId` of another account is 404, and nothing is stored", async () => {
    const [account, other] = [await openAccount(), await openAccount()];
    const folderId = await insertFolder(other.id);
    const response = await send(account.uploadKey, [FILE, field("folderId", folderId)]);
    expect(response.status).toBe(404);
    await expectNothingLeft(account.id);
  });
});

describe("tags", () => {
  it.each([
    ["a,b", ["a", "b"]],
    [" a , b ", ["a", "b"]],
    ["a,,b,", ["a", "b"]],
    ["a,b,a", ["a", "b"]],
    ["été,写真,🦊 fox", ["été", "写真", "🦊 fox"]],
    ["", []],
    [" , ,", []],
  ])("`tags` %j are %j", async (value, tags) => {
    const account = await openAccount();
    expect((await stored(account.uploadKey, [FILE, field("tags", value)])).tags).toEqual(tags);
  });

  it("`tags` may come in several fields", async () => {
    const account = await openAccount();
    const parts = [field("tags", "a"), FILE, field("tags", "b,a")];
    expect((await stored(account.uploadKey, parts)).tags).toEqual(["a", "b"]);
  });

  it("`tags` are read whole, at any split by the network", async () => {
    const account = await openAccount();
    const tags = Array.from({ length: 50 }, (_, i) => `tag-${i}-${"é".repeat(30)}`);
    const body = multipartBody("edge", [field("tags", tags.join(",")), FILE]);
    for (const size of [1, 17, 1000]) {
      const response = await postMultipart(account.uploadKey, streamOf(inChunks(body, size)));
      expect(response.status, await response.clone().text()).toBe(201);
      expect((await response.json<UploadResult>()).tags).toEqual(tags);
    }
  });

  it("`tags` may be 50, of 64 characters each", async () => {
    const account = await openAccount();
    const fifty = Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(64, "é"));
    expect((await stored(account.uploadKey, [FILE, field("tags", fifty.join(","))])).tags).toEqual(fifty);
  });

  it.each([
    ["51 of them", Array.from({ length: 51 }, (_, i) => `${i}`).join(",")],
    ["one of 65 characters", "x".repeat(65)],
    ["100 KB of text", "x,".repeat(50_000)],
  ])("`tags` that are %s are 400, and nothing is stored", async (_, value) => {
    const account = await openAccount();
    for (const parts of [
      [field("tags", value), FILE],
      [FILE, LARGE, field("tags", value)],
    ]) {
      const response = await send(account.uploadKey, parts);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ details: { tags: expect.any(String) } });
      await expectNothingLeft(account.id);
    }
  });
});

it("Unknown fields are ignored, also large ones", async () => {
  const account = await openAccount();
  const parts = [field("csrf", "x"), field("notes", "y".repeat(300_000)), FILE, field("submit", "Upload")];
  expect((await stored(account.uploadKey, parts)).fileSize).toBe(FILE.content.length);
});

it("Files in other fields are ignored if the field `file` has a file", async () => {
  const account = await openAccount();
  const result = await stored(account.uploadKey, [{ ...FILE, name: "photo" }, FILE]);
  expect(result.fileSize).toBe(FILE.content.length);
  await expectConsistent(account.id);
});

it("An empty file input of a form is ignored", async () => {
  const account = await openAccount();
  const nothingChosen = { name: "file", filename: "", content: new Uint8Array() };
  expect((await stored(account.uploadKey, [nothingChosen, FILE]))._id).toEqual(expect.any(String));
});

it("Fields of the upload are shown in the listing", async () => {
  const account = await openAccount();
  const folderId = await insertFolder(account.id);
  const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() }, { tags: "a, b", folderId });
  const response = await call(`/images/${_id}`, { headers: bearer(account.token) });
  expect(await response.json()).toMatchObject({ folderId, tags: ["a", "b"] });
});
