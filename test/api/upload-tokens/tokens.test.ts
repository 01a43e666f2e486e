import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_TOKEN_SECONDS } from "../../../src/domain/upload-token.ts";
import { meterOf } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  newAddress,
  openAccount,
  setTier,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { begin, patch } from "../../support/uploads/tus.ts";
import {
  type CreatedToken,
  createToken,
  fillTokens,
  listTokens,
  outcomeOf,
  usesOf,
} from "../../support/uploads/upload-tokens.ts";

const picture = { name: "a.png", bytes: png() };
const USED_UP = [403, "upload_token_used_up"];
const INVALID = [401, "invalid_key"];

async function tryUpload({ token }: CreatedToken) {
  return outcomeOf(await upload(token, [picture]));
}

/** Moves every token of an account into the past. */
function expireTokens(accountId: string): Promise<unknown> {
  return runInDurableObject(meterOf(accountId), (_, { storage }) =>
    storage.sql.exec("UPDATE upload_tokens SET expires_at = ?", Date.now() - 1).toArray(),
  );
}

async function storedTokens(accountId: string): Promise<number> {
  return runInDurableObject(
    meterOf(accountId),
    (_, { storage }) => storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM upload_tokens").one().n,
  );
}

describe("POST /upload-tokens", () => {
  it("An upload token uploads a file, and is shown only once", async () => {
    const { id, uploadKey, token } = await openAccount();
    const created = await createToken(uploadKey, {});
    expect(created).toEqual({
      _id: expect.any(String),
      token: expect.stringMatching(/^service_token_[\w-]+$/),
      expiresAt: expect.any(String),
      uploadUrl: "https://media.example/images/upload",
    });
    expect(Date.parse(created.expiresAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect((await upload(created.token, [picture])).status).toBe(201);
    expect(JSON.stringify(await listTokens(token))).not.toContain(created.token);
    const kept = await runInDurableObject(meterOf(id), (_, { storage }) =>
      storage.sql.exec("SELECT * FROM upload_tokens").toArray(),
    );
    expect(JSON.stringify(kept)).not.toContain(created.token);
  });

  it("An upload key, an API key with the scope upload and a session create tokens; other keys are refused", async () => {
    const free = await openAccount();
    const pro = await openAccount("pro");
    const allowed = [free.uploadKey, free.token, (await createApiKey(pro.token, ["upload"])).key];
    for (const key of allowed) expect((await callJson("POST", "/upload-tokens", key, {})).status).toBe(201);
    const { key } = await createApiKey(pro.token, ["images:read"]);
    expect(await outcomeOf(await callJson("POST", "/upload-tokens", key, {}))).toEqual([403, "scope_required"]);
  });

  it.each<[string, object, string]>([
    ["no file", { maxFiles: 0 }, "maxFiles"],
    ["half a file", { maxFiles: 1.5 }, "maxFiles"],
    ["a negative size", { maxBytes: -1 }, "maxBytes"],
    ["a type that is not stored", { types: ["application/pdf"] }, "types.0"],
    ["an origin with a path", { origins: ["https://a.example/"] }, "origins.0"],
    ["an origin without a scheme", { origins: ["a.example"] }, "origins.0"],
    ["an origin of a file", { origins: ["null"] }, "origins.0"],
    ["21 origins", { origins: Array.from({ length: 21 }, (_, index) => `https://a${index}.example`) }, "origins"],
    ["a time that is over at once", { expiresIn: 0 }, "expiresIn"],
    ["a time that is too long", { expiresIn: MAX_TOKEN_SECONDS + 1 }, "expiresIn"],
    ["a tag with a comma", { tags: ["a,b"] }, "tags"],
  ])("A token with %s is refused", async (_, body, field) => {
    const { uploadKey } = await openAccount();
    const response = await callJson("POST", "/upload-tokens", uploadKey, body);
    expect(response.status).toBe(400);
    const { code, details } = await response.json<{ code: string; details: Record<string, string> }>();
    expect([code, Object.keys(details)]).toEqual(["invalid_request", [field]]);
  });

  it("An unknown field is refused", async () => {
    const { uploadKey } = await openAccount();
    const response = await callJson("POST", "/upload-tokens", uploadKey, { lifetime: 60 });
    expect(await outcomeOf(response)).toEqual([400, "invalid_request"]);
  });

  it("A token for an unknown folder is refused", async () => {
    const { uploadKey } = await openAccount();
    const response = await callJson("POST", "/upload-tokens", uploadKey, { folderId: "x" });
    expect(await outcomeOf(response)).toEqual([404, "folder_not_found"]);
  });

  it("The number of an account's tokens is limited, and expired tokens make room", async () => {
    const { id, uploadKey } = await openAccount();
    await createToken(uploadKey);
    await fillTokens(id);
    const response = await callJson("POST", "/upload-tokens", uploadKey, {});
    expect(await outcomeOf(response)).toEqual([400, "count_limit_reached"]);
    await expireTokens(id);
    await createToken(uploadKey);
    expect(await storedTokens(id)).toBe(1);
  });
});

describe("Limits of an upload token", () => {
  it("A token stores maxFiles files, in one request or in several", async () => {
    const { uploadKey } = await openAccount();
    const created = await createToken(uploadKey, { maxFiles: 3 });
    await uploadOne(created.token, picture);
    const response = await upload(created.token, [picture, picture, picture]);
    const { uploaded, failed } = await response.json<{
      uploaded: unknown[];
      failed: { code: string; details: unknown }[];
    }>();
    expect(uploaded).toHaveLength(2);
    expect(failed).toMatchObject([{ code: "upload_token_used_up", details: { maxFiles: 3 } }]);
    expect(await tryUpload(created)).toEqual(USED_UP);
    expect(await usesOf(uploadKey, created._id)).toEqual([3, 300]);
  });

  it("A token stores maxBytes bytes in total", async () => {
    const { uploadKey } = await openAccount();
    const created = await createToken(uploadKey, { maxBytes: 250 });
    await uploadOne(created.token, picture);
    await uploadOne(created.token, picture);
    const response = await upload(created.token, [picture]);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "upload_token_used_up", details: { maxBytes: 250 } });
    expect(await usesOf(uploadKey, created._id)).toEqual([2, 200]);
  });

  it("A raw body of unknown size stops at maxBytes", async () => {
    const { uploadKey } = await openAccount();
    const created = await createToken(uploadKey, { maxBytes: 1000 });
    const body = new Blob([png(3, 2, 5000)]).stream();
    const response = await call("/images/upload?filename=a.png", {
      method: "POST",
      headers: { ...bearer(created.token), "Content-Type": "image/png" },
      body,
    });
    expect(await outcomeOf(response)).toEqual(USED_UP);
    expect(await usesOf(uploadKey, created._id)).toEqual([0, 0]);
  });

  it("A file that is refused gives its share back", async () => {
    const { uploadKey } = await openAccount();
    const created = await createToken(uploadKey, { maxFiles: 1 });
    const notes = { name: "a.txt", bytes: new Uint8Array(Buffer.from("a text")) };
    expect(await outcomeOf(await upload(created.token, [notes]))).toEqual([415, "unsupported_media_type"]);
    await uploadOne(created.token, picture);
    expect(await usesOf(uploadKey, created._id)).toEqual([1, 100]);
  });

  it("A deleted file still counts", async () => {
    const { uploadKey, token } = await openAccount();
    const created = await createToken(uploadKey, { maxFiles: 1 });
    const { _id } = await uploadOne(created.token, picture);
    expect((await call(`/images/${_id}`, { method: "DELETE", headers: bearer(token) })).status).toBe(200);
    expect(await tryUpload(created)).toEqual(USED_UP);
  });

  it("Only maxFiles of many uploads at once are stored", async () => {
    const { token } = await openAccount("business");
    const created = await createToken(token, { maxFiles: 5, maxBytes: 450 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => tryUpload(created)));
    expect(outcomes.filter(([status]) => status === 201)).toHaveLength(4);
    expect(new Set(outcomes.filter(([status]) => status !== 201).map(String))).toEqual(new Set([String(USED_UP)]));
    expect(await usesOf(token, created._id)).toEqual([4, 400]);
  });

  it("A token for images refuses a video before its bytes are stored", async () => {
    const { id, uploadKey } = await openAccount();
    const created = await createToken(uploadKey, { types: ["video/*", "image/jpeg"] });
    const response = await upload(created.token, [picture]);
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      code: "type_not_allowed",
      details: { detected: "image/png", types: ["video/*", "image/jpeg"] },
    });
    expect((await env.FILES.list({ prefix: `uploads/${id}/` })).objects).toEqual([]);
    const other = await createToken(uploadKey, { types: ["image/png"] });
    await uploadOne(other.token, picture);
  });

  it("A token puts its tags on every file, beside those of the request", async () => {
    const { uploadKey, token } = await openAccount();
    const created = await createToken(uploadKey, { tags: ["form", "guest"] });
    const { _id } = await uploadOne(created.token, picture, { tags: "mine" });
    const image = await call(`/images/${_id}`, { headers: bearer(token) });
    expect((await image.json<{ tags: string[] }>()).tags.sort()).toEqual(["form", "guest", "mine"]);
  });

  it("A token of a folder uploads into it and below it, and nowhere else", async () => {
    const { token } = await openAccount("pro");
    const makeFolder = async (body: object) =>
      (await (await callJson("POST", "/folders", token, body)).json<{ _id: string }>())._id;
    const folderId = await makeFolder({ name: "Guests" });
    const below = await makeFolder({ name: "Today", parentId: folderId });
    const elsewhere = await makeFolder({ name: "Private" });
    const created = await createToken(token, { folderId });
    const folderOf = async (fields: Record<string, string>) => {
      const { _id } = await uploadOne(created.token, picture, fields);
      const image = await call(`/images/${_id}`, { headers: bearer(token) });
      return (await image.json<{ folderId: string }>()).folderId;
    };
    expect([await folderOf({}), await folderOf({ folderId: below })]).toEqual([folderId, below]);
    const refused = await upload(created.token, [picture], { folderId: elsewhere });
    expect(await outcomeOf(refused)).toEqual([404, "folder_not_found"]);
  });

  it("A token of a confined key is confined to the key's folder", async () => {
    const { token } = await openAccount("pro");
    const folder = await (await callJson("POST", "/folders", token, { name: "Guests" })).json<{ _id: string }>();
    const other = await (await callJson("POST", "/folders", token, { name: "Others" })).json<{ _id: string }>();
    const { key } = await createApiKey(token, ["upload"], { folderId: folder._id });
    await createToken(key);
    expect(await listTokens(key)).toMatchObject([{ folderId: folder._id }]);
    const refused = await callJson("POST", "/upload-tokens", key, { folderId: other._id });
    expect(await outcomeOf(refused)).toEqual([404, "folder_not_found"]);
  });
});

describe("Origins", () => {
  const send = (token: string, origin?: string) => {
    const form = new FormData();
    form.append("file", new File([picture.bytes], picture.name));
    const headers = { ...bearer(token), ...(origin === undefined ? {} : { Origin: origin }) };
    return call("/images/upload", { method: "POST", headers, body: form });
  };

  it("A page of an origin that is not listed is refused", async () => {
    const { uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey, { origins: ["https://shop.example", "http://localhost:3000"] });
    for (const origin of ["https://evil.example", "https://shop.example:8443", "http://shop.example", "null"]) {
      expect(await outcomeOf(await send(token, origin))).toEqual([403, "origin_not_allowed"]);
    }
    const answer = await send(token, "https://shop.example");
    expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([201, "*"]);
    expect((await send(token, "http://localhost:3000")).status).toBe(201);
    expect((await send(token)).status).toBe(201);
  });

  it("A token without origins is for every page", async () => {
    const { uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey);
    expect((await send(token, "https://any.example")).status).toBe(201);
  });
});

describe("The end of an upload token", () => {
  it("A revoked token is refused at once", async () => {
    const { uploadKey } = await openAccount();
    const created = await createToken(uploadKey);
    await uploadOne(created.token, picture);
    const revoked = await call(`/upload-tokens/${created._id}`, { method: "DELETE", headers: bearer(uploadKey) });
    expect([revoked.status, await revoked.json()]).toEqual([200, { message: "Upload token revoked" }]);
    expect(await tryUpload(created)).toEqual(INVALID);
    const again = await call(`/upload-tokens/${created._id}`, { method: "DELETE", headers: bearer(uploadKey) });
    expect(await outcomeOf(again)).toEqual([404, "upload_token_not_found"]);
  });

  it("A token is revoked even without allowance for changes", async () => {
    const { id, uploadKey } = await openAccount();
    const { _id } = await createToken(uploadKey);
    await runInDurableObject(meterOf(id), (_, { storage }) =>
      storage.kv.put("allowance", { left: -20, at: Date.now() }),
    );
    const refused = await callJson("POST", "/upload-tokens", uploadKey, {});
    expect(await outcomeOf(refused)).toEqual([429, "rate_limited"]);
    const revoked = await call(`/upload-tokens/${_id}`, { method: "DELETE", headers: bearer(uploadKey) });
    expect(revoked.status).toBe(200);
  });

  it("An expired token is refused", async () => {
    const { id, uploadKey } = await openAccount();
    const created = await createToken(uploadKey);
    await expireTokens(id);
    expect(await tryUpload(created)).toEqual([401, "key_expired"]);
    expect(await listTokens(uploadKey)).toEqual([]);
  });

  it("A token stops with the key that created it", async () => {
    const { token, uploadKey } = await openAccount();
    const created = await createToken(uploadKey);
    expect((await callJson("POST", "/keys/upload/regenerate", token, undefined)).status).toBe(201);
    expect(await tryUpload(created)).toEqual(INVALID);
    const pro = await openAccount("pro");
    const { key, _id } = await createApiKey(pro.token, ["upload"]);
    const ofKey = await createToken(key);
    expect((await call(`/keys/${_id}`, { method: "DELETE", headers: bearer(pro.token) })).status).toBe(200);
    expect(await tryUpload(ofKey)).toEqual(INVALID);
  });

  it("A token does not outlive its key", async () => {
    const { token } = await openAccount("pro");
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { key } = await createApiKey(token, ["upload"], { expiresAt });
    expect((await createToken(key)).expiresAt).toBe(expiresAt);
  });

  it("A token of a session works after a change of tier and a log-out", async () => {
    const { email, token } = await openAccount();
    const created = await createToken(token);
    await setTier(email, "pro");
    expect((await callJson("POST", "/auth/logout", token, undefined)).status).toBe(200);
    await uploadOne(created.token, picture);
  });

  it("A new password ends the tokens of the sessions that it ends", async () => {
    const { id, token } = await openAccount();
    const created = await createToken(token);
    await meterOf(id).setPassword("another hash", "another session");
    await uploadOne(created.token, picture);
    await meterOf(id).endSessions();
    expect(await tryUpload(created)).toEqual(INVALID);
  });

  it("The tokens of a suspended account stop", async () => {
    const { id, uploadKey } = await openAccount();
    const created = await createToken(uploadKey);
    await meterOf(id).suspend({ reason: "a test", servesFiles: true });
    expect(await tryUpload(created)).toEqual([403, "account_suspended"]);
  });

  it("The tokens of an erased account stop", async () => {
    const { id, uploadKey } = await openAccount();
    const created = await createToken(uploadKey);
    await meterOf(id).eraseForOperator();
    expect(await tryUpload(created)).toEqual(INVALID);
  });
});

describe("GET /upload-tokens", () => {
  it("Tokens are listed newest first, by cursor", async () => {
    const { token } = await openAccount("pro");
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await createToken(token, { maxFiles: n + 1, tags: ["a"] }))._id);
    const read = async (query: string) => {
      const response = await call(`/upload-tokens?limit=2${query}`, { headers: bearer(token) });
      return response.json<{ uploadTokens: { _id: string }[]; pagination: { nextCursor: string | null } }>();
    };
    const first = await read("");
    expect(first.uploadTokens[0]).toEqual({
      _id: ids[0],
      maxFiles: 5,
      maxBytes: null,
      types: [],
      folderId: null,
      tags: ["a"],
      visibility: null,
      origins: [],
      externalId: null,
      metadata: null,
      usedFiles: 0,
      usedBytes: 0,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const second = await read(`&cursor=${first.pagination.nextCursor}`);
    expect(second.uploadTokens.map(({ _id }) => _id)).toEqual(ids.slice(2, 4));
    const last = await read(`&cursor=${second.pagination.nextCursor}`);
    expect([last.uploadTokens.map(({ _id }) => _id), last.pagination.nextCursor]).toEqual([ids.slice(4), null]);
    expect((await call("/upload-tokens?cursor=x", { headers: bearer(token) })).status).toBe(400);
    expect((await call("/upload-tokens?limit=0", { headers: bearer(token) })).status).toBe(400);
  });

  it("A key that can only upload sees and revokes only its own tokens", async () => {
    const { token } = await openAccount("pro");
    const [one, two] = [await createApiKey(token, ["upload"]), await createApiKey(token, ["upload"])];
    const created = await createToken(one.key);
    expect(await listTokens(one.key)).toHaveLength(1);
    expect(await listTokens(two.key)).toEqual([]);
    expect(await listTokens(token)).toHaveLength(1);
    const refused = await call(`/upload-tokens/${created._id}`, { method: "DELETE", headers: bearer(two.key) });
    expect(refused.status).toBe(404);
    await uploadOne(created.token, picture);
  });
});

describe("Strangers", () => {
  it("Visitors use up their own minute, not the account's", async () => {
    const { uploadKey } = await openAccount();
    const created = await createToken(uploadKey);
    await waitForQuietMinute(15_000);
    const headers = { ...bearer(created.token), "Content-Type": "application/json" };
    const statuses: number[] = [];
    for (let n = 0; n < 61; n++) statuses.push((await call("/images/upload", { method: "POST", headers })).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 400), 429]);
    const answer = await upload(uploadKey, [picture]);
    expect([answer.status, Number(answer.headers.get("X-RateLimit-Remaining")) > 50]).toEqual([201, true]);
  });

  it("A token that this service has not signed calls neither an object nor a database", async () => {
    const { id, uploadKey } = await openAccount();
    const { token } = await createToken(uploadKey);
    const forged = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
    const unknown = `service_token_${id}${"x".repeat(43)}_${"x".repeat(43)}`;
    for (const each of [forged, unknown]) {
      const headers = { ...bearer(each), "CF-Connecting-IP": newAddress() };
      expect(await outcomeOf(await call("/images/upload", { method: "POST", headers, body: "x" }))).toEqual(INVALID);
    }
  });

  it("A token's requests are logged with its id", async () => {
    const { token } = await openAccount("pro");
    const created = await createToken(token);
    await uploadOne(created.token, picture);
    const logs = await (await call("/logs", { headers: bearer(token) })).json<{ logs: { keyId: string }[] }>();
    expect(logs.logs).toMatchObject([{ keyId: created._id }]);
  });
});

describe("The facts of a token's files", () => {
  const FACTS = { externalId: "order 7", metadata: { order: 7 } };

  it("A token's `externalId` and `metadata` are set on its file in each kind of upload", async () => {
    const account = await openAccount();
    const form = await createToken(account.token, { ...FACTS, maxFiles: 1 });
    expect(await uploadOne(form.token, picture)).toMatchObject(FACTS);
    const raw = await createToken(account.token, { ...FACTS, externalId: "order 8", maxFiles: 1 });
    const body = await call("/images/upload?filename=a.png", {
      method: "POST",
      headers: bearer(raw.token),
      body: png(),
    });
    expect(await body.json()).toMatchObject({ ...FACTS, externalId: "order 8" });
    const tus = await createToken(account.token, { ...FACTS, externalId: "order 9", maxFiles: 1 });
    const path = await begin(tus.token, 500);
    expect(await (await patch(tus.token, path, 0, mp4(500))).json()).toMatchObject({ ...FACTS, externalId: "order 9" });
    expect(await listTokens(account.token)).toMatchObject([
      { externalId: "order 9" },
      { externalId: "order 8" },
      FACTS,
    ]);
  });

  it("A visitor cannot replace the token's facts, and may set others", async () => {
    const account = await openAccount();
    const { token } = await createToken(account.token, { ...FACTS, maxFiles: 1 });
    for (const [name, value] of [
      ["externalId", "mine"],
      ["metadata", "{}"],
    ] as const) {
      const response = await upload(token, [picture], { [name]: value });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { details: { [name]: expect.any(String) } },
      ]);
    }
    expect(await uploadOne(token, picture, { alt: "A beach" })).toMatchObject({ ...FACTS, alt: "A beach" });
    const free = await createToken(account.token, {});
    expect(await uploadOne(free.token, picture, { externalId: "mine" })).toMatchObject({ externalId: "mine" });
    const other = await createToken(account.token, {});
    const taken = await upload(other.token, [picture], { externalId: "order 7" });
    expect([taken.status, await taken.json()]).toEqual([
      409,
      expect.not.objectContaining({ details: expect.anything() }),
    ]);
  });

  it.each([[{}], [{ maxFiles: 2 }], [{ maxFiles: null }]])(
    "A token with `externalId` and %j is 400: it needs `maxFiles` 1",
    async (limits) => {
      const { token } = await openAccount();
      const response = await callJson("POST", "/upload-tokens", token, { externalId: "one", ...limits });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { details: { externalId: expect.any(String) } },
      ]);
    },
  );

  it("A token with the `externalId` of a stored file is 409", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, picture, { externalId: "one" });
    const response = await callJson("POST", "/upload-tokens", account.token, { externalId: "one", maxFiles: 1 });
    expect([response.status, await response.json()]).toMatchObject([409, { details: { _id } }]);
  });
});
