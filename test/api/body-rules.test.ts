import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bearer, call, callJson, openAccount, type TestAccount, uploadOne } from "../support/api/api.ts";
import { ENDPOINTS } from "../support/api/auth-matrix.ts";
import { createFolder, getImage } from "../support/library/api.ts";
import { png } from "../support/media/samples.ts";
import { endReconciliation } from "../support/reconcile/reconcile.ts";

// The rules of every endpoint's body (SVC-8).

let account: TestAccount;
let imageId: string;
let folderId: string;
let shareId: string;
let searchId: string;

beforeAll(async () => {
  account = await openAccount("business");
  folderId = await createFolder(account.token, "Rules");
  shareId = (await (await callJson("POST", "/shares", account.token, { folderId })).json<{ _id: string }>())._id;
  const search = await callJson("POST", "/searches", account.token, { name: "Rules", address: "/library" });
  searchId = (await search.json<{ _id: string }>())._id;
  imageId = (await uploadOne(account.token, { name: "a.png", bytes: png() }, { folderId }))._id;
});

afterEach(endReconciliation);

/** Valid bodies by method and path; the matrix has the bodies of the other endpoints. */
const VALID: Record<string, object> = {
  "POST /auth/register": { email: "rules@example.com", password: "long enough a password" },
  "POST /auth/login": { email: "rules@example.com", password: "a password" },
};
const TAKING_JSON = ENDPOINTS.filter(({ body, method, path }) => body !== undefined || `${method} ${path}` in VALID);

/** Endpoints that take a text for people in a list of names or a heading. */
const NAMING = [
  ["POST", "/auth/register", "name"],
  ["PATCH", "/account", "name"],
  ["POST", "/folders", "name"],
  ["POST", "/folders", "icon"],
  ["PATCH", "/folders/{id}", "name"],
  ["POST", "/keys", "name"],
  ["POST", "/signing-keys", "name"],
  ["POST", "/passkeys", "name"],
  ["POST", "/searches", "name"],
  ["PATCH", "/searches/{id}", "name"],
  ["POST", "/shares", "title"],
  ["PATCH", "/shares/{id}", "title"],
] as const;

/** These act on all accounts if no field names an account. */
const ALL_OPTIONAL = [
  "/images/{id}/sign",
  "/admin/thumbnails/retry",
  "/admin/placeholders",
  "/admin/invitations/{email}",
  "/admin/reconcile",
];
/** Without fields these create something without limits. */
const ALL_OPTIONAL_OF_NEW = ["/upload-tokens"];
/** The answer if no account has this address. */
const ALL_OPTIONAL_OF_ONE = ["/admin/accounts/{email}/reconcile"];

function pathOf(path: string): string {
  const ids = { folders: folderId, shares: shareId, searches: searchId, images: imageId };
  const id = Object.entries(ids).find(([name]) => path.startsWith(`/${name}`))?.[1] ?? imageId;
  return path.replace("{id}", id).replace("{email}", "rules@example.com").replace("{shard}", "00");
}

function tokenFor(access: (typeof ENDPOINTS)[number]["access"]): string {
  return access === "admin" || access === "operator" ? env.ADMIN_TOKEN : account.token;
}

function statusOfEmpty(path: string): number {
  if (ALL_OPTIONAL_OF_NEW.includes(path)) return 201;
  if (ALL_OPTIONAL.includes(path)) return 200;
  return ALL_OPTIONAL_OF_ONE.includes(path) ? 404 : 400;
}

describe.each(TAKING_JSON)("$method $path", ({ method, path, access, body }) => {
  const send = (sent: unknown) => callJson(method, pathOf(path), tokenFor(access), sent);

  it("A body with an unknown field is refused, and the answer names the field", async () => {
    const valid = (VALID[`${method} ${path}`] ?? body) as object;
    const response = await send({ ...valid, unheard: 1 });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: "Invalid request",
      code: "invalid_request",
      details: { body: expect.stringContaining("unheard") },
    });
  });

  it("A body without fields changes nothing, or the answer names the missing field", async () => {
    const read = async () => {
      if (path.startsWith("/images/")) return getImage(account.token, imageId);
      const shown = await call(/^\/(folders|searches)/.exec(path)?.[0] ?? pathOf(path), {
        headers: bearer(account.token),
      });
      return shown.json();
    };
    if (method !== "PATCH") {
      expect((await send({})).status).toBe(statusOfEmpty(path));
      return;
    }
    const before = await read();
    expect((await send({})).status).toBe(200);
    expect(await read()).toEqual(before);
  });
});

it.each<[method: string, path: string, body: object, place: string, given: string, meant: string]>([
  ["PATCH", "/images/{id}", { folderid: null }, "body", "folderid", "folderId"],
  ["POST", "/images/{id}/sign", { expires_in: 60 }, "body", "expires_in", "expiresIn"],
  ["POST", "/upload-tokens", { MaxFiles: 1 }, "body", "MaxFiles", "maxFiles"],
  ["POST", "/images/bulk-trash", { filter: { mimeprefix: "image/" } }, "filter", "mimeprefix", "mimePrefix"],
  ["PUT", "/settings/webhooks/shop", { url: "https://a.example/", event: [] }, "body", "event", "events"],
])("%s %s with %j names the nearest field, at `details.%s`", async (method, path, body, place, given, meant) => {
  const response = await callJson(method, pathOf(path), account.token, body);
  expect(response.status).toBe(400);
  const { details } = await response.json<{ details: Record<string, string> }>();
  expect(details[place]).toBe(`Unknown field \`${given}\`; did you mean \`${meant}\`?`);
});

it("A bulk change without fields changes nothing", async () => {
  const response = await callJson("POST", "/images/bulk-update", account.token, { ids: [imageId] });
  expect([response.status, await response.json()]).toEqual([200, { updated: 0 }]);
});

describe("Empty query parameters", () => {
  it("A query parameter with an empty value counts as absent, on every endpoint", async () => {
    const { paths } = await (await call("/openapi.json")).json<{
      paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
    }>();
    let tried = 0;
    for (const [path, methods] of Object.entries(paths)) {
      const names = (methods.get?.parameters ?? [])
        .filter((parameter) => parameter.in === "query")
        .map(({ name }) => name);
      const absent = await call(path, { headers: bearer(account.token) });
      const expected = [absent.status, await absent.text()];
      for (const query of [...names.map((name) => `${name}=`), names.map((name) => `${name}=`).join("&")].filter(
        Boolean,
      )) {
        const response = await call(`${path}?${query}`, { headers: bearer(account.token) });
        expect([response.status, await response.text()], query).toEqual(expected);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(14);
  });
});

describe("Unknown query parameters", () => {
  const IGNORING = ["/health/live", "/health/ready", "/previews/{account}/{file}"];

  it.each(ENDPOINTS.filter(({ path }) => !IGNORING.includes(path)))(
    "An unknown query parameter of $method $path is refused and named",
    async ({ method, path, access, body }) => {
      const token = tokenFor(access);
      const response = await callJson(method, `${pathOf(path)}?unheard=1`, token, body);
      expect(response.status).toBe(400);
      if (method === "HEAD") return;
      const { code, details } = await response.json<{ code: string; details: object }>();
      expect([code, details]).toEqual(["invalid_query", { unheard: "Unknown parameter" }]);
    },
  );

  it.each(IGNORING)("%s ignores unknown query parameters", async (path) => {
    expect((await call(`${path}?unheard=1`)).status).not.toBe(400);
  });

  it.each([
    ["Limit", "limit"],
    ["folderid", "folderId"],
    ["mimeprefx", "mimePrefix"],
    ["exclude_tags", "excludeTags"],
  ])("The answer to the query parameter %s names %s", async (given, meant) => {
    const response = await call(`/images?${given}=1`, { headers: bearer(account.token) });
    expect(await response.json()).toMatchObject({
      code: "invalid_query",
      details: { [given]: `Unknown parameter; did you mean \`${meant}\`?` },
    });
  });

  it("The first few of a thousand unknown parameters with long names are named", async () => {
    const query = Array.from({ length: 1000 }, (_, at) => `${at}${"x".repeat(20)}`).join("&");
    const response = await call(`/images?${query}&${"y".repeat(500)}`, { headers: bearer(account.token) });
    expect(response.status).toBe(400);
    expect(Object.keys((await response.json<{ details: object }>()).details)).toHaveLength(20);
  });
});

describe("Repeated query parameters", () => {
  it("A query parameter that is sent twice is refused and named, on every endpoint", async () => {
    const { paths } = await (await call("/openapi.json")).json<{
      paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
    }>();
    const tried = [];
    for (const { method, path, access, body } of ENDPOINTS) {
      const token = tokenFor(access);
      const described = paths[path]?.[method.toLowerCase()]?.parameters ?? [];
      for (const { name } of described.filter((parameter) => parameter.in === "query")) {
        const request = `${method} ${path}?${name}=1&${name}=1`;
        const response = await callJson(method, `${pathOf(path)}?${name}=1&${name}=1`, token, body);
        expect(response.status, request).toBe(400);
        tried.push(request);
        if (method === "HEAD") continue;
        const { code, details } = await response.json<{ code: string; details: object }>();
        const expected = name === "page" || name === "limit" ? "invalid_paging" : "invalid_query";
        expect([code, details], request).toEqual([expected, { [name]: "Must be sent once, not several times" }]);
      }
    }
    expect(tried.length).toBeGreaterThan(50);
    expect(tried.filter((request) => request.includes("/images/upload?"))).not.toEqual([]);
  });
});

describe("The folder id root", () => {
  it.each<[string, string, () => string, (folder: string | null) => object]>([
    ["PATCH /images/{id}", "PATCH", () => `/images/${imageId}`, (id) => ({ folderId: id })],
    ["POST /images/bulk-update", "POST", () => "/images/bulk-update", (id) => ({ ids: [imageId], folderId: id })],
  ])("The folder id `root` is the same as no folder in %s", async (_, method, path, body) => {
    for (const place of ["root", null]) {
      expect((await callJson(method, path(), account.token, body(folderId))).status).toBe(200);
      expect((await callJson(method, path(), account.token, body(place))).status).toBe(200);
      const shown = await call(`/images/${imageId}`, { headers: bearer(account.token) });
      expect(await shown.json()).toMatchObject({ folderId: null });
    }
  });

  it("The folder id `root` is the same as no parent in POST and PATCH /folders", async () => {
    const created = await callJson("POST", "/folders", account.token, { name: "Below root", parentId: "root" });
    const { _id, parentId } = await created.json<{ _id: string; parentId: unknown }>();
    expect([created.status, parentId]).toEqual([201, null]);
    expect((await callJson("PATCH", `/folders/${_id}`, account.token, { parentId: folderId })).status).toBe(200);
    const moved = await callJson("PATCH", `/folders/${_id}`, account.token, { parentId: "root" });
    expect(await moved.json()).toMatchObject({ parentId: null });
  });
});

describe("The names of things (SVC-12)", () => {
  it.each(NAMING)("%s %s refuses a %s with control or bidirectional characters", async (method, path, field) => {
    for (const name of ["a\u0007b", "a\nb", "a\u009fb", "\u202egpj"]) {
      const answer = await callJson(method, pathOf(path), account.token, { [field]: name });
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { code: "invalid_request", details: { [field]: "Control characters are not allowed" } },
      ]);
    }
  });
});
