import { beforeAll, describe, expect, it } from "vitest";
import { bearer, call, callJson, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { getImage } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

let account: TestAccount;
let id: string;

beforeAll(async () => {
  account = await openAccount("business");
  id = (await uploadOne(account.token, { name: "a.png", bytes: png() }))._id;
});

const CHANGES: [string, () => string][] = [
  ["PATCH", () => `/images/${id}`],
  ["POST", () => "/images/bulk-update"],
];

describe.each(CHANGES)("Body of %s", (method, path) => {
  const send = (body: string, contentType = "application/json") =>
    call(path(), { method, headers: { ...bearer(account.token), "Content-Type": contentType }, body });

  it.each([
    "",
    "{",
    "{'favorite': true}",
    "undefined",
    '{"favorite":true',
    "\0",
    "[".repeat(100_000),
    '{"a":'.repeat(20_000),
  ])("A body that is no JSON is 400 (%.20j)", async (body) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: expect.any(String),
      code: expect.any(String),
      statusCode: 400,
    });
  });

  it("A body that is too large is 413", async () => {
    const response = await callJson(method, path(), account.token, { ids: [id], tags: ["x".repeat(400_000)] });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ statusCode: 413, details: { maxBytes: expect.any(Number) } });
  });

  it("A body cannot set fields that clients must not set", async () => {
    const before = await getImage(account.token, id);
    const forbidden = {
      accountId: "x",
      account_id: "x",
      _id: "x",
      status: "trash",
      fileSize: 0,
      createdAt: "2020-01-01",
    };
    for (const [name, value] of Object.entries(forbidden)) {
      const response = await callJson(method, path(), account.token, { ids: [id], [name]: value });
      expect(response.status).toBe(400);
    }
    for (const body of ['{"__proto__":{"favorite":true}}', '{"constructor":{"favorite":true}}']) {
      expect((await send(body)).status).toBe(400);
    }
    expect(await getImage(account.token, id)).toEqual(before);
  });
});

it.each([
  ["POST", "/stats/overview"],
  ["DELETE", "/stats/overview"],
  ["PUT", "/images"],
  ["PUT", "/images/bulk-update"],
])("%s %s is 405", async (method, path) => {
  const response = await call(path, { method, headers: bearer(account.token) });
  expect(response.status).toBe(405);
  expect(await response.json()).toMatchObject({ error: expect.any(String), code: expect.any(String), statusCode: 405 });
});
