import { describe, expect, it } from "vitest";
import { expectConsistent, expectNothingLeft } from "../../support/api/account-state.ts";
import { bearer, call, openAccount } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { multipartBody, utf8 } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";

// Form libraries send large files in slices, each a form of its own. A slice must not be stored as a file.

const sliceOf = (size: number) => ({ name: "file", filename: "blob", content: mp4(size) });
/** More bytes than are stored at once, so that a stored part would show. The refusal does not depend on the size. */
const LARGE = sliceOf(9_000_000);
const SLICE = sliceOf(300_000);
const PHOTO = { name: "file", filename: "a.png", content: png() };

function fieldsOf(fields: Record<string, string>) {
  return Object.entries(fields).map(([name, value]) => ({ name, content: utf8(value) }));
}

async function expectRefused(accountId: string, response: Response): Promise<void> {
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: "Chunked forms are not supported; use tus",
    code: "chunked_form",
    statusCode: 400,
  });
  await expectNothingLeft(accountId);
}

describe("Slices", () => {
  it.each<[string, Record<string, string>, typeof SLICE]>([
    ["Dropzone", { dzuuid: "x", dzchunkindex: "0", dztotalchunkcount: "3" }, LARGE],
    ["Dropzone, at its last one", { dzchunkindex: "2", dztotalchunkcount: "3" }, SLICE],
    ["flow.js", { flowChunkNumber: "1", flowTotalChunks: "2" }, SLICE],
    ["Resumable.js", { resumableChunkNumber: "2", resumableTotalChunks: "2" }, SLICE],
    ["Resumable.js without a total", { resumableChunkNumber: "2" }, SLICE],
    ["Plupload", { chunk: "0", chunks: "4" }, SLICE],
    ["Fine Uploader", { qqpartindex: "1", qqtotalparts: "3" }, SLICE],
  ])("A slice of a file (%s) is 400 and not stored, with its fields before or after it", async (_, fields, slice) => {
    const account = await openAccount();
    for (const parts of [
      [...fieldsOf(fields), slice],
      [slice, ...fieldsOf(fields)],
    ]) {
      await expectRefused(account.id, await postMultipart(account.uploadKey, multipartBody("edge", parts)));
    }
    const query = new URLSearchParams(fields);
    const raw = await call(`/images/upload?${query}`, {
      method: "POST",
      headers: bearer(account.uploadKey),
      body: slice.content,
    });
    await expectRefused(account.id, raw);
  });

  it.each([
    ["bytes 0-999/2000", LARGE],
    ["bytes 1000-1999/2000", SLICE],
    ["bytes 0-99/*", SLICE],
    ["bytes */2000", SLICE],
    ["items 0-1/2", SLICE],
  ])("A slice of a file (Content-Range: %s) is 400, as a form and as a raw body", async (contentRange, slice) => {
    const account = await openAccount();
    const headers = { "Content-Range": contentRange };
    const body = multipartBody("edge", [slice]);
    await expectRefused(account.id, await postMultipart(account.uploadKey, body, undefined, headers));
    await expectRefused(account.id, await postMultipart(account.uploadKey, slice.content, "video/mp4", headers));
  });
});

describe("Forms with one slice", () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["Dropzone", { dzchunkindex: "0", dztotalchunkcount: "1" }, {}],
    ["flow.js", { flowChunkNumber: "1", flowTotalChunks: "1" }, {}],
    ["Resumable.js", { resumableChunkNumber: "1", resumableTotalChunks: "1" }, {}],
    ["Plupload", { chunk: "0", chunks: "1" }, {}],
    ["a field `chunk` that means something else", { chunk: "chocolate" }, {}],
    ["Content-Range", {}, { "Content-Range": "bytes 0-99/100" }],
  ])("A form whose only slice is the whole file (%s) is stored like any other", async (_, fields, headers) => {
    const account = await openAccount();
    const body = multipartBody("edge", [...fieldsOf(fields), PHOTO]);
    expect((await postMultipart(account.uploadKey, body, undefined, headers)).status).toBe(201);
    await expectConsistent(account.id);
  });
});
