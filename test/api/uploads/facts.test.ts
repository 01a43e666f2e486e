import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  expectConsistent,
  expectNothingLeft,
  meterOf,
  storedKeys,
  uploadRowIds,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, upload, uploadOne } from "../../support/api/api.ts";
import { getImage, listIds, patchImage } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { begin, create, head, metadata, patch } from "../../support/uploads/tus.ts";

const MIB = 1024 * 1024;
const FACTS = { externalId: "order 7", alt: "A beach", metadata: '{"order":7}' };
const STORED = { externalId: "order 7", alt: "A beach", metadata: { order: 7 } };

function raw(token: string, fields: Record<string, string>): Promise<Response> {
  const query = new URLSearchParams({ filename: "a.png", ...fields });
  return call(`/images/upload?${query}`, { method: "POST", headers: bearer(token), body: png() });
}

async function expectTaken(response: Response, id?: string): Promise<void> {
  const body = await response.json<{ code: string; details?: { _id?: string } }>();
  expect([response.status, body.code, body.details?._id]).toEqual([409, "external_id_taken", id]);
}

describe("The client's own facts as fields of an upload", () => {
  it("A form has them before or after the file", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.uploadKey, { name: "a.png", bytes: png() }, FACTS);
    expect(result).toMatchObject(STORED);
    expect(await getImage(account.token, result._id)).toMatchObject(STORED);
    const form = new FormData();
    form.append("file", new File([png()], "b.png"));
    for (const [name, value] of Object.entries({ ...FACTS, externalId: "order 8" })) form.append(name, value);
    const response = await call("/images/upload", { method: "POST", headers: bearer(account.uploadKey), body: form });
    expect(await response.json()).toMatchObject({ ...STORED, externalId: "order 8" });
  });

  it("The query of a raw body has them", async () => {
    const account = await openAccount();
    expect(await (await raw(account.uploadKey, FACTS)).json()).toMatchObject(STORED);
  });

  it.each([
    ["one request", 500],
    ["pieces", 9 * MIB],
  ])("`Upload-Metadata` of a tus upload in %s has them", async (_, size) => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, size, FACTS);
    const response = await patch(account.uploadKey, path, 0, mp4(size));
    expect([response.status, await response.json()]).toMatchObject([200, STORED]);
    await expectConsistent(account.id);
  });

  it("`Upload-Metadata` has room for the longest description, facts and name", async () => {
    const account = await openAccount();
    const longest = {
      filename: `${"海".repeat(250)}.mp4`,
      alt: "海".repeat(1000),
      metadata: JSON.stringify({ a: "x".repeat(2040) }),
      tags: Array.from({ length: 50 }, (_, at) => String(at).padEnd(50, "x")).join(","),
    };
    const path = await begin(account.uploadKey, 500, longest);
    const response = await patch(account.uploadKey, path, 0, mp4(500));
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { originalFilename: longest.filename, alt: longest.alt, metadata: JSON.parse(longest.metadata) },
    ]);
  });

  it("Empty fields count as absent", async () => {
    const account = await openAccount();
    const empty = { externalId: "", alt: "", metadata: "" };
    const result = await uploadOne(account.uploadKey, { name: "a.png", bytes: png() }, empty);
    expect(result).toMatchObject({ externalId: null, alt: null, metadata: null });
    expect((await raw(account.uploadKey, empty)).status).toBe(201);
  });

  it.each([
    ["externalId", "x".repeat(201)],
    ["externalId", "a\u0000"],
    ["alt", "x".repeat(1001)],
    ["metadata", "order"],
    ["metadata", "[]"],
    ["metadata", "null"],
    ["metadata", `{"k":"${"x".repeat(2048)}"}`],
  ])("A malformed %s is 400 in each kind of upload, and nothing is stored", async (name, value) => {
    const account = await openAccount();
    const answers = [
      await upload(account.uploadKey, [{ name: "a.png", bytes: png() }], { [name]: value }),
      await raw(account.uploadKey, { [name]: value }),
      await create(account.uploadKey, { "Upload-Length": "5", "Upload-Metadata": metadata({ [name]: value }) }),
    ];
    for (const answer of answers)
      expect([answer.status, await answer.json()]).toMatchObject([400, { details: { [name]: expect.any(String) } }]);
    await expectNothingLeft(account.id);
  });

  it("An `externalId` is for a request with one file", async () => {
    const account = await openAccount();
    const files = ["a.png", "b.png"].map((name) => ({ name, bytes: png() }));
    const response = await upload(account.uploadKey, files, { externalId: "one" });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { details: { externalId: expect.any(String) } },
    ]);
    await expectNothingLeft(account.id);
  });
});

describe("The `externalId` of another upload", () => {
  async function taken(): Promise<{ account: TestAccount; id: string }> {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() }, { externalId: "one" });
    return { account, id: _id };
  }

  it("Every kind of upload is 409 with the file's id, and leaves nothing", async () => {
    const { account, id } = await taken();
    await expectTaken(await upload(account.uploadKey, [{ name: "b.png", bytes: png() }], { externalId: "one" }), id);
    await expectTaken(await raw(account.uploadKey, { externalId: "one" }), id);
    const named = { "Upload-Length": "5", "Upload-Metadata": metadata({ externalId: "one" }) };
    await expectTaken(await create(account.uploadKey, named), id);
    expect(await uploadRowIds(account.id)).toEqual([id]);
    await expectConsistent(account.id);
  });

  it("Exactly one of simultaneous uploads with the same `externalId` is stored", async () => {
    const account = await openAccount();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => upload(account.token, [{ name: "b.png", bytes: png() }], { externalId: "race" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await uploadRowIds(account.id)).toHaveLength(1);
    expect(await storedKeys(account.id)).toHaveLength(1);
    await expectConsistent(account.id);
  });

  it.each([
    ["in one piece", 500],
    ["in parts", 9 * MIB],
  ])("A tus upload %s that loses its `externalId` on the way ends with 409, and leaves nothing", async (_, size) => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, size, { externalId: "one" });
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() }, { externalId: "one" });
    await expectTaken(await patch(account.uploadKey, path, 0, mp4(size)), _id);
    expect((await head(account.uploadKey, path)).status).toBe(404);
    expect(await uploadRowIds(account.id)).toEqual([_id]);
    expect(await storedKeys(account.id)).toHaveLength(1);
    await expectConsistent(account.id);
  });

  it("The alarm ends a tus upload whose request died, and that lost its `externalId`", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 9 * MIB, { externalId: "one" });
    const film = mp4(9 * MIB);
    // All bytes have arrived, but the upload is not finished.
    expect((await patch(account.uploadKey, path, 0, film.subarray(0, 8 * MIB + 1))).status).toBe(204);
    await runInDurableObject(meterOf(account.id), async (_, { storage }) => {
      storage.sql.exec(`UPDATE resumables SET length = ${8 * MIB + 1}`);
    });
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() }, { externalId: "one" });
    await runInDurableObject(meterOf(account.id), async (_, { storage }) => {
      storage.sql.exec("UPDATE resumables SET due_at = 1, lease_until = 0");
      await storage.setAlarm(Date.now() + 3_600_000);
    });
    await runDurableObjectAlarm(meterOf(account.id));
    expect(await uploadRowIds(account.id)).toEqual([_id]);
    expect(await storedKeys(account.id)).toHaveLength(1);
    expect((await head(account.uploadKey, path)).status).toBe(404);
  });

  it("An idempotent repeat of a stored upload gets its answer, not 409", async () => {
    const account = await openAccount();
    const send = () => {
      const form = new FormData();
      form.append("externalId", "one");
      form.append("file", new File([png()], "a.png"));
      const headers = { ...bearer(account.uploadKey), "Idempotency-Key": '"k1"' };
      return call("/images/upload", { method: "POST", headers, body: form });
    };
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect(await listIds(account.token)).toHaveLength(1);
  });

  it("A change loses against an upload that got the `externalId` before", async () => {
    const { account, id } = await taken();
    const other = await uploadOne(account.token, { name: "b.png", bytes: png() });
    await expectTaken(await patchImage(account.token, other._id, { externalId: "one" }), id);
  });
});
