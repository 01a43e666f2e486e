import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { newUploadId } from "../../../src/domain/ids.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { readCameraFacts } from "../../../src/media/camera/read-camera-facts.ts";
import { expectConsistent, meterOf, readMeter, setStorageBytes, storedKeys } from "../../support/api/account-state.ts";
import {
  BASE_URL,
  bearer,
  call,
  callJson,
  createApiKey,
  openAccount,
  openProAccount,
  type UploadResult,
  uploadOne,
} from "../../support/api/api.ts";
import { inLibraries } from "../../support/api/databases.ts";
import { createFolder, getImage } from "../../support/library/api.ts";
import { exifBlock, filmWith, jpegWith, OSLO, pngWith, webpWith } from "../../support/media/camera-files.ts";
import { ebml } from "../../support/media/media-bytes.ts";
import { jpeg, png } from "../../support/media/samples.ts";
import { takeDown } from "../../support/operator/as-operator.ts";
import { open, pathOf, setVisibility, sign } from "../../support/private/private-files.ts";

// Removal of the place from a stored file (TAKEN-4): a replacement by the same bytes without private metadata.

const PLACE = { latitude: 59.9139, longitude: 10.7522 };
const BLOCK = exifBlock({ make: "Canon", model: "EOS R5", time: "2026:05:01 12:30:00", iso: 400, ...OSLO });
const PHOTO = { name: "a.jpg", bytes: jpegWith(BLOCK) };
const FILM = filmWith({
  keys: { "com.apple.quicktime.model": "iPhone", "com.apple.quicktime.location.ISO6709": "+59.9139+010.7522/" },
});

type Image = Awaited<ReturnType<typeof getImage>> & { readonly sha256: string };

function ask(token: string, id: string): Promise<Response> {
  return call(`/images/${id}/remove-location`, { method: "POST", headers: bearer(token) });
}

async function removed(token: string, id: string): Promise<Image> {
  const response = await ask(token, id);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

async function refusalOf(response: Response): Promise<[number, string]> {
  return [response.status, (await response.json<{ code: string }>()).code];
}

async function bytesAt(url: string): Promise<Uint8Array> {
  return new Uint8Array(await (await call(pathOf(url))).arrayBuffer());
}

async function historyOf(token: string, id: string): Promise<string[]> {
  const answer = await call(`/history/${id}`, { headers: bearer(token) });
  return (await answer.json<{ history: { type: string }[] }>()).history.map(({ type }) => type);
}

/** The number of bytes that differ. */
function countChanged(former: Uint8Array, bytes: Uint8Array): number {
  expect(bytes.length).toBe(former.length);
  return bytes.reduce((sum, byte, at) => sum + (byte === former[at] ? 0 : 1), 0);
}

function placeIn(mimeType: MediaType, bytes: Uint8Array) {
  const source = { length: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
  return readCameraFacts(mimeType, source).location;
}

describe("`POST /images/:id/remove-location`", () => {
  it.each<[string, MediaType, string, Uint8Array<ArrayBuffer>]>([
    ["A JPEG", "image/jpeg", "a.jpg", PHOTO.bytes],
    ["A JPEG in several parts", "image/jpeg", "b.jpg", longPhoto()],
    ["A PNG", "image/png", "a.png", pngWith(BLOCK)],
    ["A WebP", "image/webp", "a.webp", webpWith(BLOCK, 200_001)],
    ["A film", "video/quicktime", "a.mov", FILM],
  ])("%s loses its place, and keeps its other facts, its pixels and its size", async (_, mimeType, name, bytes) => {
    const account = await openAccount();
    const fields = { tags: "a,b", alt: "A view", externalId: "x1" };
    const first = await uploadOne(account.token, { name, bytes }, fields);
    expect(first).toMatchObject({ location: PLACE });
    const before = await getImage(account.token, first._id);
    const books = await readMeter(account.id);
    const image = await removed(account.token, first._id);
    expect(image).toEqual({
      ...before,
      url: expect.any(String),
      downloadUrl: expect.any(String),
      previewUrl: mimeType.startsWith("image/") ? expect.any(String) : null,
      thumbnailUrl: mimeType.startsWith("image/") ? null : expect.any(String),
      filename: expect.any(String),
      sha256: expect.any(String),
      uploadedSha256: first.sha256,
      location: null,
      viewUrl: expect.any(String),
    });
    expect([image.url, image.sha256]).not.toContain(first.url);
    expect(await getImage(account.token, first._id)).toMatchObject({ url: image.url, location: null });
    const stored = await bytesAt(image.url);
    expect(placeIn(mimeType, stored)).toBeNull();
    expect(countChanged(bytes, stored)).toBeLessThan(BLOCK.length);
    const after = await readMeter(account.id);
    expect([after.storageBytes, after.usedTenths - books.usedTenths]).toEqual([bytes.length, 10]);
    expect(await storedKeys(account.id)).toEqual([image.filename]);
    const earlier = await call(pathOf(first.url), { redirect: "manual" });
    expect([earlier.status, earlier.headers.get("Location")]).toEqual([307, pathOf(image.url)]);
    expect(await historyOf(account.token, first._id)).toEqual(["replaced", "uploaded"]);
    await expectConsistent(account.id);
  });

  it("The coded pixels of a JPEG stay byte for byte", async () => {
    const { token } = await openAccount();
    const first = await uploadOne(token, PHOTO);
    const stored = await bytesAt((await removed(token, first._id)).url);
    const frameAt = PHOTO.bytes.length - jpeg().length + 2;
    expect(stored.subarray(frameAt)).toEqual(PHOTO.bytes.subarray(frameAt));
    expect(stored.subarray(frameAt, frameAt + 2)).toEqual(Uint8Array.of(0xff, 0xc0));
  });

  it.each([
    ["whose place was removed", PHOTO, true],
    ["without a place", { name: "b.png", bytes: png(2, 2, 500) }, false],
    ["of a type without known metadata", { name: "c.webm", bytes: ebml("webm") }, false],
  ])("A file %s stays as it is, and nothing counts", async (_, file, isRepeat) => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, file);
    if (isRepeat) await removed(account.token, _id);
    const [image, books, history] = [
      await getImage(account.token, _id),
      await readMeter(account.id),
      await historyOf(account.token, _id),
    ];
    expect(await removed(account.token, _id)).toMatchObject({ url: image.url, location: null });
    expect(await readMeter(account.id)).toEqual(books);
    expect(await historyOf(account.token, _id)).toEqual(history);
    expect(await storedKeys(account.id)).toEqual([image.filename]);
    await expectConsistent(account.id);
  });

  it("A file that was uploaded before the service read places loses its place", async () => {
    const { token } = await openAccount();
    const { _id, url } = await uploadOne(token, PHOTO);
    await inLibraries("UPDATE uploads SET location = NULL WHERE id = ?", _id);
    expect(await getImage(token, _id)).toMatchObject({ location: null });
    const image = await removed(token, _id);
    expect(image.url).not.toBe(url);
    expect(placeIn("image/jpeg", await bytesAt(image.url))).toBeNull();
  });

  it("A compression that the account has turned on since does not change the picture", async () => {
    const { token } = await openAccount();
    const { _id } = await uploadOne(token, PHOTO);
    await callJson("PATCH", "/settings", token, { autoCompress: true, metadata: "keep" });
    expect(await removed(token, _id)).toMatchObject({ compressed: false, location: null, camera: "Canon EOS R5" });
  });

  it("A private file stays private", async () => {
    const { token } = await openAccount();
    const { _id } = await uploadOne(token, PHOTO, { visibility: "private" });
    const image = await removed(token, _id);
    expect(image).toMatchObject({ visibility: "private", location: null });
    expect(await open(image.url)).toBe("signature_required");
    expect(placeIn("image/jpeg", await bytesAt((await sign(token, _id)).url))).toBeNull();
    expect((await setVisibility(token, _id, "public")).status).toBe(200);
    expect(await open(image.url)).toBe(200);
  });

  it("A full account can remove a place", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, PHOTO);
    const { storageLimitBytes } = (await meterOf(account.id).read()) ?? { storageLimitBytes: 0 };
    await setStorageBytes(account.id, storageLimitBytes);
    expect(await removed(account.token, _id)).toMatchObject({ location: null });
    expect((await readMeter(account.id)).storageBytes).toBe(storageLimitBytes);
  });
});

describe("Refusals", () => {
  it("A file in the trash, a file that was taken down, and other people's files stay as they are", async () => {
    const account = await openAccount();
    // A takedown blocks the bytes, which the other tests upload.
    const bytes = jpegWith(exifBlock({ make: "Canon", model: "EOS R6", ...OSLO }));
    const { _id, url, filename } = await uploadOne(account.token, { name: "a.jpg", bytes });
    await callJson("POST", "/images/bulk-trash", account.token, { ids: [_id] });
    expect(await refusalOf(await ask(account.token, _id))).toEqual([409, "image_in_trash"]);
    await callJson("POST", "/images/bulk-restore", account.token, { ids: [_id] });
    expect(await refusalOf(await ask((await openAccount()).token, _id))).toEqual([403, "image_not_yours"]);
    const unknown = await ask(account.token, newUploadId(Date.now(), "00"));
    expect(await refusalOf(unknown)).toEqual([404, "image_not_found"]);
    await takeDown({ url });
    expect(await refusalOf(await ask(account.token, _id))).toEqual([451, "taken_down"]);
    expect(await storedKeys(account.id)).toEqual([filename]);
  });

  it("A confined key removes places in its folder only", async () => {
    const { token } = await openProAccount();
    const folderId = await createFolder(token, "mine");
    const { key } = await createApiKey(token, [], { folderId });
    const inside = await uploadOne(token, PHOTO, { folderId });
    const outside = await uploadOne(token, PHOTO);
    expect(await removed(key, inside._id)).toMatchObject({ location: null, folderId });
    expect(await refusalOf(await ask(key, outside._id))).toEqual([404, "image_not_found"]);
  });
});

describe("Other changes at the same time", () => {
  it("Bytes that replaced the file while its former ones were read are kept, and the client must ask again", async () => {
    const account = await openAccount();
    const { _id, filename } = await uploadOne(account.token, PHOTO);
    const bytes = png(4, 4, 700);
    const replace = () =>
      call(`/images/${_id}/content?filename=b.png`, { method: "PUT", headers: bearer(account.token), body: bytes });
    const removal = await askWith(account.token, _id, async (read) => {
      const object = await read();
      expect((await replace()).status).toBe(200);
      return object;
    });
    expect(await refusalOf(removal)).toEqual([503, "service_unavailable"]);
    const image = await getImage(account.token, _id);
    expect(await bytesAt(image.url)).toEqual(bytes);
    expect(image.filename).not.toBe(filename);
    expect(await storedKeys(account.id)).toEqual([image.filename]);
    expect(await historyOf(account.token, _id)).toEqual(["replaced", "uploaded"]);
    await expectConsistent(account.id);
  });

  it.each<[string, Reading]>([
    ["does not find", async () => null],
    ["breaks off while it sends", async (read) => cutOff(await read())],
  ])("The file stays if R2 %s its bytes, and the client must ask again", async (_, reading) => {
    const account = await openAccount();
    const { _id, filename } = await uploadOne(account.token, { name: "b.jpg", bytes: longPhoto() });
    expect(await refusalOf(await askWith(account.token, _id, reading))).toEqual([503, "service_unavailable"]);
    expect(await storedKeys(account.id)).toEqual([filename]);
    expect(await removed(account.token, _id)).toMatchObject({ location: null });
    await expectConsistent(account.id);
  });

  it("The account's object refuses a removal if the file has other bytes than the removal read", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, PHOTO);
    const replacement = {
      uploadId: first._id,
      replacementId: newUploadId(Date.now(), "00"),
      content: contentOf(first),
    };
    const meter = meterOf(account.id);
    expect(await meter.replaceContent({ ...replacement, onlyFrom: "other" })).toMatchObject({ outcome: "changed" });
    expect(await meter.replaceContent({ ...replacement, onlyFrom: first.filename })).toMatchObject({
      outcome: "missing",
    });
  });

  it("New bytes that arrive at the same time are kept, whichever change is first", async () => {
    const account = await openAccount();
    const bytes = png(4, 4, 700);
    for (let time = 0; time < 5; time++) {
      const { _id } = await uploadOne(account.token, PHOTO);
      const put = { method: "PUT", headers: bearer(account.token), body: bytes };
      const [removal, replacement] = await Promise.all([
        ask(account.token, _id),
        call(`/images/${_id}/content?filename=b.png`, put),
      ]);
      expect([200, 503]).toContain(removal.status);
      expect(replacement.status).toBe(200);
      expect(await bytesAt((await getImage(account.token, _id)).url)).toEqual(bytes);
    }
    expect(await storedKeys(account.id)).toHaveLength(5);
    await expectConsistent(account.id);
  });

  it("Two removals at the same time leave one file without a place", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, PHOTO);
    const answers = await Promise.all([ask(account.token, _id), ask(account.token, _id)]);
    for (const { status } of answers) expect([200, 503]).toContain(status);
    const image = await getImage(account.token, _id);
    expect(image).toMatchObject({ location: null });
    expect(await storedKeys(account.id)).toEqual([image.filename]);
    expect((await readMeter(account.id)).storageBytes).toBe(PHOTO.bytes.length);
    await expectConsistent(account.id);
  });

  it("A deletion at the same time leaves nothing", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, PHOTO);
    const deletion = call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) });
    const [removal, { status }] = await Promise.all([ask(account.token, _id), deletion]);
    expect([200, 404, 503]).toContain(removal.status);
    expect(status).toBe(200);
    expect(await storedKeys(account.id)).toEqual([]);
    expect((await readMeter(account.id)).storageBytes).toBe(0);
    await expectConsistent(account.id);
  });
});

/** Reads the stored file, and may do more. */
type Reading = (read: () => Promise<R2ObjectBody | null>) => Promise<R2ObjectBody | null>;

/** Sends the request to a Worker that reads stored files in another way. */
async function askWith(token: string, id: string, reading: Reading): Promise<Response> {
  const get = (key: string) => reading(() => env.FILES.get(key));
  const FILES = new Proxy(env.FILES, {
    get: (bucket, name) => (name === "get" ? get : Reflect.get(bucket, name).bind(bucket)),
  });
  const request = new Request(`${BASE_URL}/images/${id}/remove-location`, { method: "POST", headers: bearer(token) });
  const ctx = createExecutionContext();
  const response = await createApp().fetch(request, { ...env, FILES }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

/** The object with a body that ends after its first bytes. */
function cutOff(object: R2ObjectBody | null): R2ObjectBody {
  if (object === null) throw new Error("The file is not stored");
  const body = object.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        controller.enqueue(bytes.slice(0, 100));
        controller.terminate();
      },
    }),
  );
  const { size } = object;
  return { size, body: body.pipeThrough(new IdentityTransformStream()) } as unknown as R2ObjectBody;
}

/** A photo of more than one part. */
function longPhoto(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(9_000_000);
  bytes.set(PHOTO.bytes);
  return bytes;
}

function contentOf({ filename, mimeType, fileSize }: UploadResult) {
  return {
    objectKey: filename,
    mimeType,
    sizeBytes: fileSize,
    originalSizeBytes: fileSize,
    compressionQuality: null,
    width: 4,
    height: 3,
    takenAt: null,
    camera: null,
    lens: null,
    exposure: null,
    location: null,
    sha256: null,
    uploadedSha256: null,
    placeholder: null,
  };
}
