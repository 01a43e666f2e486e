import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  expectConsistent,
  expectNothingLeft,
  readMeter,
  setUsedTenths,
  usageOf,
} from "../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  openAccount,
  openProAccount,
  type TestAccount,
  type UploadResult,
  uploadOne,
} from "../support/api/api.ts";
import { mp4, png } from "../support/media/samples.ts";
import { streamOf } from "../support/uploads/multipart.ts";

const UNKNOWN = "01hzy3v7k9q4r5s6t7v8w9x0ya";

function remove(token: string, id: string): Promise<Response> {
  return call(`/images/${id}`, { method: "DELETE", headers: bearer(token) });
}

function statusOfUrl({ url }: UploadResult): Promise<number> {
  return call(new URL(url).pathname).then(({ status }) => status);
}

async function moved(account: TestAccount, action: "trash" | "restore", ids: unknown): Promise<number> {
  const response = await callJson("POST", `/images/bulk-${action}`, account.token, { ids });
  expect(response.status, await response.clone().text()).toBe(200);
  const body = await response.json<{ updated: number }>();
  expect(body).toEqual({ updated: expect.any(Number) });
  return body.updated;
}

describe("DELETE /images/:id", () => {
  it("`DELETE /images/:id` removes row, file and thumbnail, frees the storage and counts at once", async () => {
    const account = await openProAccount();
    const kept = await uploadOne(account.apiKey, { name: "a.png", bytes: png(1, 1, 400) });
    const doomed = await uploadOne(account.apiKey, { name: "b.mp4", bytes: mp4(6_000_000) });
    const thumbnail = new URL(doomed.thumbnailUrl ?? "").pathname.slice(1);
    await env.FILES.put(thumbnail, "a thumbnail");
    expect(await statusOfUrl(doomed)).toBe(200);
    const response = await remove(account.apiKey, doomed._id);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(usageOf(response)).toEqual({ storage: 400, operations: 3 });
    expect(await statusOfUrl(doomed)).toBe(404);
    expect(await env.FILES.head(thumbnail)).toBeNull();
    expect(await statusOfUrl(kept)).toBe(200);
    const { operations } = await readMeter(account.id);
    expect(operations.filter(({ type }) => type === "delete")).toMatchObject([
      { class: "A", weight_tenths: 10, resource_id: doomed._id, key_id: account.apiKeyId },
    ]);
    await expectConsistent(account.id);
    for (const method of ["GET", "DELETE"]) {
      const again = await call(`/images/${doomed._id}`, { method, headers: bearer(account.apiKey) });
      expect(again.status).toBe(404);
      expect(await again.json()).toEqual({ error: "Image not found", code: "image_not_found", statusCode: 404 });
      expect(usageOf(again)).toEqual({ storage: 400, operations: 3 });
    }
  });

  it.each([UNKNOWN, UNKNOWN.toUpperCase(), "1", "..%2f..", "%00", "x".repeat(2000), "bulk-trash", "' OR 1=1 --"])(
    "`DELETE /images/:id` of the unknown id %.30s is 404, and counts nothing",
    async (id) => {
      const account = await openAccount();
      const response = await remove(account.token, encodeURI(decodeURI(id)));
      expect([404, 405]).toContain(response.status);
      if (id !== "bulk-trash") expect(response.status).toBe(404);
      expect(usageOf(response)).toEqual({ storage: 0, operations: 0 });
      if (id === UNKNOWN)
        expect(await response.json()).toEqual({ error: "Image not found", code: "image_not_found", statusCode: 404 });
    },
  );

  it("`DELETE /images/:id` of another account's upload is the contract's 403, and deletes nothing", async () => {
    const [owner, stranger] = [await openAccount(), await openAccount()];
    const result = await uploadOne(owner.token, { name: "a.png", bytes: png() });
    const response = await remove(stranger.token, result._id);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "You don't have permission to delete this image",
      code: "image_not_yours",
      statusCode: 403,
    });
    expect(usageOf(response)).toEqual({ storage: 0, operations: 0 });
    expect(await statusOfUrl(result)).toBe(200);
    expect((await call(`/images/${result._id}`, { headers: bearer(stranger.token) })).status).toBe(403);
    await expectConsistent(owner.id);
  });

  it("`DELETE /images/:id` works on a trashed upload", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    expect(await moved(account, "trash", [result._id])).toBe(1);
    const response = await remove(account.token, result._id);
    expect(response.status).toBe(200);
    expect(usageOf(response)).toEqual({ storage: 0, operations: 2 });
    await expectNothingLeft(account.id);
    expect(await moved(account, "restore", [result._id])).toBe(0);
  });

  it("`DELETE /images/:id` is 429 over the month's operations, and deletes nothing", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await setUsedTenths(account.id, 100_000);
    const response = await remove(account.token, result._id);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ details: { retryAfter: expect.any(Number) } });
    expect(await statusOfUrl(result)).toBe(200);
    await expectConsistent(account.id);
  });

  it("`DELETE /images/:id` refuses an upload key", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
    expect((await remove(account.uploadKey, result._id)).status).toBe(403);
    expect(await statusOfUrl(result)).toBe(200);
  });

  it("`DELETE /images/:id` frees storage for the next upload", async () => {
    const account = await openAccount();
    for (let round = 0; round < 3; round++) {
      const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 900) });
      expect(usageOf(await remove(account.token, _id))).toEqual({ storage: 0, operations: 2 * (round + 1) });
    }
    await expectNothingLeft(account.id);
  });
});

describe("Trash and restore", () => {
  it("Trash and restore answer the number of moved uploads, and reverse each other", async () => {
    const account = await openAccount();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await uploadOne(account.token, { name, bytes: png() }))._id);
    const [a = "", b = ""] = ids;
    expect(await moved(account, "restore", ids)).toBe(0);
    expect(await moved(account, "trash", [a, b])).toBe(2);
    expect(await moved(account, "trash", ids)).toBe(1);
    expect(await moved(account, "restore", [a, a, a])).toBe(1);
    expect(await moved(account, "restore", ids)).toBe(2);
    expect(await moved(account, "restore", ids)).toBe(0);
  });

  it("A trashed upload counts as storage, its URL works, and trashing costs no operation", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 700) });
    const response = await callJson("POST", "/images/bulk-trash", account.token, { ids: [result._id] });
    expect(usageOf(response)).toEqual({ storage: 700, operations: 1 });
    expect(await statusOfUrl(result)).toBe(200);
    const one = await call(`/images/${result._id}`, { headers: bearer(account.token) });
    expect(await one.json()).toMatchObject({ status: "trash" });
  });

  it("Trash and restore skip unknown, foreign and invalid ids", async () => {
    const [account, stranger] = [await openAccount(), await openAccount()];
    const own = await uploadOne(account.token, { name: "a.png", bytes: png() });
    const foreign = await uploadOne(stranger.token, { name: "b.png", bytes: png() });
    const ids = [UNKNOWN, foreign._id, "", "not an id", "'; DROP TABLE uploads; --", own._id];
    expect(await moved(account, "trash", ids)).toBe(1);
    expect(await moved(account, "restore", ids)).toBe(1);
    const untouched = await call(`/images/${foreign._id}`, { headers: bearer(stranger.token) });
    expect(await untouched.json()).toMatchObject({ status: "active" });
  });

  it("Trash and restore accept up to 1,000 ids", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    const ids = Array.from({ length: 999 }, (_, i) => `01hzy3v7k9q4r5s6t7v8w9${String(i).padStart(4, "0")}`);
    expect(await moved(account, "trash", [...ids, _id])).toBe(1);
    for (const action of ["trash", "restore"]) {
      const response = await callJson("POST", `/images/bulk-${action}`, account.token, { ids: [...ids, _id, _id] });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ details: { ids: expect.any(String) } });
    }
    expect(await moved(account, "restore", [_id])).toBe(1);
  });

  it.each([{}, { ids: "a" }, { ids: [1] }, { ids: [null] }, { ids: [["a"]] }, { ids: {} }, [], null, "x", 1])(
    "Trash and restore with the body %j are 400",
    async (body) => {
      const account = await openAccount();
      for (const action of ["trash", "restore"]) {
        const response = await callJson("POST", `/images/bulk-${action}`, account.token, body);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          error: expect.any(String),
          code: expect.any(String),
          statusCode: 400,
        });
      }
    },
  );

  it.each(["", "{", "{'ids': []}", "\0", "[".repeat(100_000)])(
    "Trash and restore with malformed JSON are 400",
    async (body) => {
      const account = await openAccount();
      const headers = { ...bearer(account.token), "Content-Type": "application/json" };
      const response = await call("/images/bulk-trash", { method: "POST", headers, body });
      expect(response.status).toBe(400);
    },
  );

  it("Trash and restore refuse too large JSON before it is held in memory", async () => {
    const account = await openAccount();
    const large = await callJson("POST", "/images/bulk-trash", account.token, { ids: ["x".repeat(300_000)] });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ statusCode: 413, details: { maxBytes: expect.any(Number) } });
    let sent = 0;
    function* endless() {
      for (; sent < 100; sent++) yield new Uint8Array(1_000_000).fill(0x20);
    }
    const headers = { ...bearer(account.token), "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: streamOf(endless()) };
    expect([400, 413]).toContain((await call("/images/bulk-trash", init)).status);
    expect(sent).toBeLessThan(20);
  });

  it("Trash and restore refuse an upload key", async () => {
    const account = await openAccount();
    for (const action of ["trash", "restore"]) {
      const response = await callJson("POST", `/images/bulk-${action}`, account.uploadKey, { ids: [UNKNOWN] });
      expect(response.status).toBe(403);
    }
  });
});
