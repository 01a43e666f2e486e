import { beforeEach, describe, expect, it } from "vitest";
import { expectConsistent } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  createApiKey,
  openAccount,
  openProAccount,
  type TestAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { libraries, shardOf } from "../../support/api/databases.ts";
import {
  changeImage,
  createFolder,
  deleteImage,
  expectInvalid,
  getImage,
  listIds,
  listPage,
  moveToTrash,
  patchImage,
  requestList,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

let account: TestAccount;
let id: string;

beforeEach(async () => {
  account = await openAccount();
  id = (await uploadOne(account.token, { name: "draft.png", bytes: png() }))._id;
});

describe("The client's own facts", () => {
  it("`PATCH /images/:id` sets an id, a description and metadata, and null removes them", async () => {
    const facts = { externalId: "order/7 ü", alt: "A beach", metadata: { order: 7, tags: ["a", { b: null }] } };
    const before = await getImage(account.token, id);
    expect(await changeImage(account.token, id, facts)).toEqual({ ...before, ...facts });
    expect(await getImage(account.token, id)).toEqual({ ...before, ...facts });
    expect((await listPage(account.token)).images[0]).toMatchObject(facts);
    const none = { externalId: null, alt: null, metadata: null };
    expect(await changeImage(account.token, id, none)).toEqual(before);
  });

  it("`PATCH /images/:id` sets a focal point to four decimals, and null removes it", async () => {
    const before = await getImage(account.token, id);
    const focalPoint = { x: 0.3333, y: 1 };
    expect(await changeImage(account.token, id, { focalPoint: { y: 1, x: 1 / 3 } })).toEqual({ ...before, focalPoint });
    expect((await listPage(account.token)).images[0]).toMatchObject({ focalPoint });
    // The same point again, and a change of another field.
    expect(await changeImage(account.token, id, { focalPoint, alt: "A beach" })).toMatchObject({ focalPoint });
    expect(await changeImage(account.token, id, { alt: null })).toMatchObject({ focalPoint });
    expect(await changeImage(account.token, id, { focalPoint: null })).toEqual(before);
  });

  it("`PATCH /images/:id` replaces metadata as a whole, and keeps absent fields", async () => {
    await changeImage(account.token, id, { metadata: { a: 1, b: 2 }, alt: "A beach" });
    expect(await changeImage(account.token, id, { metadata: { c: 3 } })).toMatchObject({
      metadata: { c: 3 },
      alt: "A beach",
    });
  });

  it("`metadata` has at most 2,048 bytes as JSON in UTF-8, and 8 levels", async () => {
    // {"k":"..."} has 8 bytes beside the text.
    const fits = { k: "ü".repeat(1020) };
    expect(await changeImage(account.token, id, { metadata: fits })).toMatchObject({ metadata: fits });
    await expectInvalid(await patchImage(account.token, id, { metadata: { k: `${fits.k}x` } }), "metadata");
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    expect((await patchImage(account.token, id, { metadata: nested(8) })).status).toBe(200);
    await expectInvalid(await patchImage(account.token, id, { metadata: nested(9) }), "metadata");
    const deep = `{"metadata":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
    const headers = { ...bearer(account.token), "Content-Type": "application/json" };
    expect((await call(`/images/${id}`, { method: "PATCH", headers, body: deep })).status).toBe(400);
  });

  it("`metadata` may have any keys and texts", async () => {
    const text = '{"__proto__":{"x":1},"constructor":"\\u0000\\ud800","":"\\"\\\\"}';
    const metadata: unknown = JSON.parse(text);
    await changeImage(account.token, id, { metadata });
    const { metadata: stored } = (await getImage(account.token, id)) as unknown as { metadata: object };
    expect(JSON.stringify(stored)).toBe(JSON.stringify(metadata));
  });

  it.each([
    ["metadata that is a list", { metadata: [] }, "metadata"],
    ["metadata that is text", { metadata: "{}" }, "metadata"],
    ["metadata that is a number", { metadata: 1 }, "metadata"],
    ["an empty id", { externalId: "" }, "externalId"],
    ["an id of 201 characters", { externalId: "é".repeat(201) }, "externalId"],
    ["an id with a control character", { externalId: "a\nb" }, "externalId"],
    ["an id that is a number", { externalId: 7 }, "externalId"],
    ["a description of 1,001 characters", { alt: "é".repeat(1001) }, "alt"],
    ["a description with a control character", { alt: "a\u0000b" }, "alt"],
    ["a focal point beyond the edge", { focalPoint: { x: 1.01, y: 0 } }, "focalPoint.x"],
    ["a focal point without a height", { focalPoint: { x: 1 } }, "focalPoint.y"],
    ["a focal point with another field", { focalPoint: { x: 1, y: 1, z: 1 } }, "focalPoint"],
    ["an empty name", { originalFilename: "" }, "originalFilename"],
    ["a name that is null", { originalFilename: null }, "originalFilename"],
    ["a name of 1,025 characters", { originalFilename: "x".repeat(1025) }, "originalFilename"],
  ])("`PATCH /images/:id` with %s is 400, and changes nothing", async (_, change, name) => {
    const before = await getImage(account.token, id);
    await expectInvalid(await patchImage(account.token, id, { ...change, favorite: true }), name);
    expect(await getImage(account.token, id)).toEqual(before);
  });
});

describe("externalId", () => {
  async function another(): Promise<string> {
    return (await uploadOne(account.token, { name: "other.png", bytes: png() }))._id;
  }

  it("`externalId` is unique in the account: 409 names the file that has it, and changes nothing", async () => {
    const other = await another();
    await changeImage(account.token, id, { externalId: "one" });
    const response = await patchImage(account.token, other, { externalId: "one", favorite: true });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: "external_id_taken", details: { _id: id } });
    expect(await getImage(account.token, other)).toMatchObject({ externalId: null, favorite: false });
    // The same id again, another case, and another account's id are no conflict.
    await changeImage(account.token, id, { externalId: "one", favorite: true });
    await changeImage(account.token, other, { externalId: "One" });
    const stranger = await openAccount();
    const theirs = await uploadOne(stranger.token, { name: "a.png", bytes: png() });
    await changeImage(stranger.token, theirs._id, { externalId: "one" });
  });

  it("Exactly one of simultaneous changes to the same `externalId` is made", async () => {
    const ids = [id, await another(), await another(), await another()];
    const answers = await Promise.all(ids.map((each) => patchImage(account.token, each, { externalId: "race" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const [holder] = await listIds(account.token, { externalId: "race" });
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(await answer.json()).toMatchObject({ details: { _id: holder } });
  });

  it("An `externalId` is free again after its removal and after a deletion", async () => {
    const other = await another();
    await changeImage(account.token, id, { externalId: "one" });
    await changeImage(account.token, id, { externalId: null });
    await changeImage(account.token, other, { externalId: "one" });
    await deleteImage(account.token, other);
    await changeImage(account.token, id, { externalId: "one" });
    await expectConsistent(account.id);
  });

  it("`GET /images?externalId=` finds one file in every folder, and combines with other filters", async () => {
    const folderId = await createFolder(account.token, "One");
    const other = await another();
    await changeImage(account.token, id, { externalId: "order 7", folderId, tags: ["x"] });
    await changeImage(account.token, other, { externalId: "order 8", tags: ["order 7"] });
    expect(await listPage(account.token, { externalId: "order 7" })).toMatchObject({
      images: [{ _id: id }],
      pagination: { total: 1, nextCursor: null },
    });
    expect(await listIds(account.token, { externalId: "order 7", folderId: "root" })).toEqual([]);
    expect(await listIds(account.token, { externalId: "order 7", folderId, tags: "x" })).toEqual([id]);
    expect(await listIds(account.token, { externalId: "order 7", tags: "y" })).toEqual([]);
    expect(await listIds(account.token, { externalId: "order" })).toEqual([]);
    expect(await listIds(account.token, { externalId: "' OR 1=1 --" })).toEqual([]);
    await moveToTrash(account.token, [id]);
    expect(await listIds(account.token, { externalId: "order 7" })).toEqual([]);
    expect(await listIds(account.token, { externalId: "order 7", status: "all" })).toEqual([id]);
    const refused = await requestList(account.token, { externalId: "order 7", q: "order" });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { details: { externalId: expect.any(String) } },
    ]);
  });

  it("The look-up of an `externalId` reads the one row along its index", async () => {
    await changeImage(account.token, id, { externalId: "one" });
    const query =
      "SELECT u.number FROM uploads AS u INDEXED BY uploads_by_external_id WHERE u.external_id = ? AND u.account_id = ?";
    const database = libraries.bindingOf(await shardOf(account.id));
    const { results, meta } = await database.prepare(query).bind("one", account.id).all();
    expect([results.length, meta.rows_read]).toEqual([1, 1]);
  });
});

describe("originalFilename", () => {
  it("A renamed file keeps its URL; lists and searches have the new name", async () => {
    const before = await getImage(account.token, id);
    const after = await changeImage(account.token, id, { originalFilename: "Sommer am Meer.png" });
    expect(after).toEqual({
      ...before,
      originalFilename: "Sommer am Meer.png",
      prompt: "Sommer am Meer.png",
      downloadUrl: `${before.url}?download=Sommer%20am%20Meer.png`,
    });
    for (const q of ["sommer", "meer am", "Sommer am Meer.png"])
      expect(await listIds(account.token, { q })).toEqual([id]);
    // The stored name is a part of the URL and still found.
    expect(await listIds(account.token, { q: "draft" })).toEqual([id]);
    await changeImage(account.token, id, { originalFilename: "Winter.png" });
    expect(await listIds(account.token, { q: "sommer" })).toEqual([]);
    expect(await listIds(account.token, { q: "winter" })).toEqual([id]);
    await expectConsistent(account.id);
  });

  it.each([
    ["../../etc/passwd", "passwd"],
    ["a\\b\\c.png", "c.png"],
    ["gpj.\u202eexe", "gpj.exe"],
    ["a\r\nb.png", "ab.png"],
    ["..", "file.png"],
    ["no extension", "no extension"],
  ])("The new name %j is cleaned like that of an upload", async (given, stored) => {
    expect(await changeImage(account.token, id, { originalFilename: given })).toMatchObject({
      originalFilename: stored,
    });
  });

  it("The name that is shown after simultaneous renames is also found", async () => {
    const names = ["alpha.png", "beta.png", "gamma.png", "delta.png"];
    await Promise.all(names.map((originalFilename) => changeImage(account.token, id, { originalFilename })));
    const { prompt } = await getImage(account.token, id);
    const found = await Promise.all(names.map((q) => listIds(account.token, { q })));
    expect(names.filter((_, at) => found[at]?.length === 1)).toEqual([prompt]);
    await expectConsistent(account.id);
  });

  it("A confined key changes facts only of files in its folder, and learns no other file's id", async () => {
    const pro = await openProAccount();
    const folderId = await createFolder(pro.token, "One");
    const { key } = await createApiKey(pro.token, [], { folderId });
    const outside = await uploadOne(pro.token, { name: "a.png", bytes: png() });
    const inside = await uploadOne(pro.token, { name: "b.png", bytes: png() }, { folderId });
    await changeImage(pro.token, outside._id, { externalId: "one" });
    expect((await patchImage(key, outside._id, { alt: "x" })).status).toBe(404);
    const taken = await patchImage(key, inside._id, { externalId: "one" });
    expect([taken.status, await taken.json()]).toMatchObject([409, { code: "external_id_taken" }]);
    expect(JSON.stringify(await (await patchImage(key, inside._id, { externalId: "one" })).json())).not.toContain(
      outside._id,
    );
    expect(await listIds(key, { externalId: "one" })).toEqual([]);
  });
});
