import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { PART_BYTES } from "../../../src/domain/parts.ts";
import type { ResumableFile } from "../../../src/meter/resumable/resumable.ts";
import { expectConsistent, meterOf } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { share, visit } from "../../support/api/shares.ts";
import { createFolder, getImage, listIds } from "../../support/library/api.ts";
import { exifBlock, filmWith, jpegWith, OSLO, pngWith, webpWith } from "../../support/media/camera-files.ts";
import { makePng } from "../../support/media/make-png.ts";
import { pngChunk } from "../../support/media/media-bytes.ts";
import { bytesOf, png } from "../../support/media/samples.ts";
import { begin, patch } from "../../support/uploads/tus.ts";

const BLOCK = exifBlock({
  make: "Canon",
  model: "EOS R5",
  lens: "RF24-70mm",
  time: "2026:05:01 12:30:00",
  offset: "+02:00",
  shutter: [1, 250],
  aperture: [28, 10],
  iso: 400,
  focalLength: [35, 1],
  ...OSLO,
});
const FACTS = {
  takenAt: "2026-05-01T10:30:00.000Z",
  camera: "Canon EOS R5",
  lens: "RF24-70mm",
  exposure: { shutterSeconds: 0.004, aperture: 2.8, iso: 400, focalLengthMm: 35 },
};
const PLACE = { latitude: 59.9139, longitude: 10.7522 };
const FILM = filmWith(
  { keys: { "com.apple.quicktime.model": "iPhone", "com.apple.quicktime.creationdate": "2026-05-01T12:30:00+0200" } },
  9_000_000,
);
const OF_FILM = { takenAt: "2026-05-01T10:30:00.000Z", camera: "iPhone", lens: null, exposure: null };

it.each([
  ["A JPEG", "a.jpg", jpegWith(BLOCK), FACTS],
  ["A PNG", "a.png", pngWith(BLOCK), FACTS],
  ["A WebP of some megabytes", "a.webp", webpWith(BLOCK, 2_000_001), FACTS],
  [
    "A film",
    "a.mov",
    filmWith(
      {
        keys: { "com.apple.quicktime.model": "iPhone", "com.apple.quicktime.creationdate": "2026-05-01T12:30:00+0200" },
      },
      1_000_000,
    ),
    OF_FILM,
  ],
  ["A file without facts", "b.png", png(), { takenAt: null, camera: null, lens: null, exposure: null }],
])("%s has the facts of its camera", async (_, name, bytes, facts) => {
  const account = await openAccount();
  const result = await uploadOne(account.token, { name, bytes });
  expect(result).toMatchObject(facts);
  expect(await getImage(account.token, result._id)).toMatchObject(facts);
});

it("A large film whose facts follow its media data has them, as a form, by tus and as new bytes", async () => {
  const account = await openAccount();
  const form = await uploadOne(account.token, { name: "a.mov", bytes: FILM });
  expect(form).toMatchObject(OF_FILM);
  const path = await begin(account.uploadKey, FILM.length, { filename: "b.mov" });
  expect(await (await patch(account.uploadKey, path, 0, FILM)).json()).toMatchObject(OF_FILM);
  const { _id } = await uploadOne(account.token, { name: "c.png", bytes: png() });
  const init = { method: "PUT", headers: bearer(account.token), body: FILM };
  expect(await (await call(`/images/${_id}/content?filename=c.mov`, init)).json()).toMatchObject(OF_FILM);
  expect(await listIds(account.token, { takenFrom: "2026-05-01", takenTo: "2026-05-01" })).toHaveLength(3);
  await expectConsistent(account.id);
});

it("A large film that breaks off has its facts after the rest of it has arrived", async () => {
  const account = await openAccount();
  const path = await begin(account.uploadKey, FILM.length, { filename: "a.mov" });
  const half = FILM.length - 500_000;
  expect((await patch(account.uploadKey, path, 0, FILM.subarray(0, half))).status).toBe(204);
  await evictDurableObject(meterOf(account.id));
  expect(await (await patch(account.uploadKey, path, half, FILM.subarray(half))).json()).toMatchObject(OF_FILM);
  await expectConsistent(account.id);
});

it.each(["before its object was made", "after its object was made"])(
  "The alarm finds the facts of a large film whose last request died %s",
  async (when) => {
    const account = await openAccount();
    const meter = meterOf(account.id);
    const path = await begin(account.uploadKey, FILM.length, { filename: "a.mov" });
    expect((await patch(account.uploadKey, path, 0, FILM.subarray(0, PART_BYTES))).status).toBe(204);
    const id = path.split("/").at(-1) ?? "";
    const file = await runInDurableObject(meter, (_, { storage }): ResumableFile => {
      const { file } = storage.sql.exec<{ file: string }>("SELECT file FROM resumables").one();
      return JSON.parse(file);
    });
    expect(await meter.openResumable(id, { writer: "dead", offset: PART_BYTES })).toMatchObject({ outcome: "opened" });
    const multipart = env.FILES.resumeMultipartUpload(file.objectKey, file.multipartId);
    const part = await multipart.uploadPart(2, FILM.slice(PART_BYTES));
    await meter.commitPart(id, "dead", { part, endsAt: FILM.length });
    if (when.startsWith("after"))
      expect(await meter.completeResumable(id, "dead", { file })).toMatchObject({ outcome: "completed" });
    await evictDurableObject(meter);
    await runInDurableObject(meter, async (_, { storage }) => {
      storage.sql.exec("UPDATE intents SET due_at = 1");
      storage.sql.exec("UPDATE resumables SET lease_until = 1, due_at = 1");
      await storage.setAlarm(Date.now() + 3_600_000);
    });
    await runDurableObjectAlarm(meter);
    expect(await getImage(account.token, id)).toMatchObject(OF_FILM);
    await expectConsistent(account.id);
  },
);

it("A tus upload in parts has the facts of its first part; those of a picture beyond it are unknown", async () => {
  const account = await openAccount();
  const large = new Uint8Array(9_000_000);
  large.set(jpegWith(BLOCK));
  const path = await begin(account.uploadKey, large.length, { filename: "a.jpg" });
  expect(await (await patch(account.uploadKey, path, 0, large)).json()).toMatchObject(FACTS);
  await expectConsistent(account.id);
});

it.each([{ metadata: "none" }, { metadata: "private" }, { autoCompress: true }])(
  "The owner sees the facts of a file that is stored with %j",
  async (settings) => {
    const account = await openAccount();
    expect((await callJson("PATCH", "/settings", account.token, settings)).status).toBe(200);
    const result = await uploadOne(account.token, { name: "a.jpg", bytes: jpegWith(BLOCK) });
    expect(result).toMatchObject({ ...FACTS, location: null });
    expect(await listIds(account.token, { takenFrom: "2026-05-01", takenTo: "2026-05-01" })).toEqual([result._id]);
    const exported = await (await call("/account/export", { headers: bearer(account.token) })).text();
    expect(exported).toContain('"camera":"Canon EOS R5"');
  },
);

it.each([
  ["A JPEG", "a.jpg", jpegWith(BLOCK)],
  ["A PNG", "a.png", pngWith(BLOCK)],
  ["A WebP", "a.webp", webpWith(BLOCK, 200_001)],
  ["A film", "a.mov", filmWith({ keys: { "com.apple.quicktime.location.ISO6709": "+59.9139+010.7522+012.3/" } })],
  ["A long film", "b.mov", filmWith({ texts: { "\xa9xyz": "+59.9139+010.7522/" } }, 9_000_000)],
])("%s has the place of its stored bytes", async (_, name, bytes) => {
  const account = await openAccount();
  const result = await uploadOne(account.token, { name, bytes });
  expect(result).toMatchObject({ location: PLACE });
  expect(await getImage(account.token, result._id)).toMatchObject({ location: PLACE });
  await callJson("PATCH", "/settings", account.token, { metadata: "private" });
  const scrubbed = await uploadOne(account.token, { name, bytes });
  expect(scrubbed).toMatchObject({ location: null });
});

it("A tus upload in parts has the place of its stored bytes", async () => {
  const account = await openAccount();
  const large = new Uint8Array(9_000_000);
  large.set(jpegWith(BLOCK));
  const upload = async () => {
    const path = await begin(account.uploadKey, large.length, { filename: "a.jpg" });
    return (await patch(account.uploadKey, path, 0, large)).json();
  };
  expect(await upload()).toMatchObject({ location: PLACE });
  await callJson("PATCH", "/settings", account.token, { metadata: "private" });
  expect(await upload()).toMatchObject({ ...FACTS, location: null });
});

it("A compressed picture has lost its place, although the account keeps metadata", async () => {
  const account = await openAccount();
  await callJson("PATCH", "/settings", account.token, { autoCompress: true, metadata: "keep" });
  const picture = await makePng(300, 200);
  const headEnd = 33;
  const exif = pngChunk("eXIf", BLOCK.subarray(6));
  const bytes = bytesOf(picture.subarray(0, headEnd), exif, picture.subarray(headEnd));
  const result = await uploadOne(account.token, { name: "a.png", bytes });
  expect(result).toMatchObject({ ...FACTS, compressed: true, location: null });
});

it("The visitors of a share do not see the place", async () => {
  const account = await openAccount();
  const folderId = await createFolder(account.token, "Trip");
  await uploadOne(account.token, { name: "a.jpg", bytes: jpegWith(BLOCK) }, { folderId });
  const { url } = await share(account.token, { folderId });
  const text = await (await visit(url)).text();
  expect(text).toContain("a.jpg");
  expect(text).not.toMatch(/location"|59\.9139|10\.7522/);
});
