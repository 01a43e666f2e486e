import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { bearer, call, callJson, openAccount, openProAccount, uploadOne } from "../support/api/api.ts";
import { inLibraries } from "../support/api/databases.ts";
import { png } from "../support/media/samples.ts";

const PASSWORD = "a password that is long";

function register(body: unknown) {
  return callJson("POST", "/auth/register", undefined, body);
}

function logIn(email: string, password: string) {
  return callJson("POST", "/auth/login", undefined, { email, password });
}

function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

async function whoAmI(token: string): Promise<number> {
  return (await call("/account", { headers: bearer(token) })).status;
}

describe("POST /auth/register", () => {
  it("`POST /auth/register` opens a Free account, logs in and shows the upload key only once", async () => {
    const email = newEmail();
    const response = await register({ email: ` ${email.toUpperCase()} `, password: PASSWORD, name: "Ada" });
    expect(response.status).toBe(201);
    const body = await response.json<{ token: string; uploadKey: string }>();
    expect(body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresAt: expect.stringMatching(/Z$/),
      account: { _id: expect.any(String), email, name: "Ada", tier: "free", createdAt: expect.any(String) },
      uploadKey: expect.stringMatching(/^service_upload_[0-9A-Za-z]{43}$/),
    });
    const cookie = response.headers.get("Set-Cookie") ?? "";
    expect(cookie).toContain(`__Host-session=${body.token};`);
    expect(cookie).not.toContain("Domain");
    for (const attribute of ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"]) expect(cookie).toContain(attribute);
  });

  it("`POST /auth/register` puts only the claims sub, sid, iat and exp into the token", async () => {
    const { token, id } = await openAccount();
    const claims = JSON.parse(atob(token.split(".")[1] ?? ""));
    expect(claims).toEqual({ sub: id, sid: expect.any(String), iat: expect.any(Number), exp: expect.any(Number) });
  });

  it("`POST /auth/register` refuses an email in use, in any case, also at the same moment", async () => {
    const email = newEmail();
    const answers = await Promise.all([
      register({ email, password: PASSWORD }),
      register({ email: email.toUpperCase(), password: PASSWORD }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await register({ email, password: PASSWORD })).status).toBe(409);
  });

  it.each([
    ["email", { email: "nonsense", password: PASSWORD }],
    ["email", { password: PASSWORD }],
    ["password", { email: "a@example.com", password: "short" }],
    ["password", { email: "a@example.com", password: "x".repeat(257) }],
    ["password", { email: "a@example.com", password: 12345678 }],
    ["name", { email: "a@example.com", password: PASSWORD, name: "" }],
  ])("`POST /auth/register` names the wrong field %s in %j", async (field, body) => {
    const response = await register(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: "Invalid request",
      code: "invalid_request",
      statusCode: 400,
      details: { [field]: expect.any(String) },
    });
  });

  it("`POST /auth/register` stores no password and no key in clear", async () => {
    const email = newEmail();
    const { uploadKey } = await (await register({ email, password: PASSWORD })).json<{ uploadKey: string }>();
    const account = await env.DB.prepare("SELECT * FROM accounts WHERE email = ?").bind(email).first();
    const key = await env.DB.prepare("SELECT * FROM keys WHERE account_id = ?").bind(account?.id).first();
    expect(account?.password_hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    const stored = JSON.stringify([account, key]);
    expect(stored).not.toContain(PASSWORD);
    expect(stored).not.toContain(uploadKey);
    expect(stored).not.toContain(uploadKey.slice("service_upload_".length));
  });
});

describe("POST /auth/login", () => {
  it("`POST /auth/login` opens a session", async () => {
    const { email, password } = await openAccount();
    const response = await logIn(email.toUpperCase(), password);
    expect(response.status).toBe(200);
    const body = await response.json<{ token: string }>();
    expect(Object.keys(body).sort()).toEqual(["account", "expiresAt", "token"]);
    expect(await whoAmI(body.token)).toBe(200);
  });

  it("`POST /auth/login` answers an unknown email and a wrong password alike", async () => {
    const { email } = await openAccount();
    const [wrong, unknown] = [await logIn(email, "not the password"), await logIn(newEmail(), "not the password")];
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(await wrong.json()).toEqual(await unknown.json());
  });

  it("`POST /auth/login` limits the attempts for one email, known or unknown, and no others", async () => {
    const { email, password } = await openAccount();
    const other = await openAccount();
    for (const guessed of [email, newEmail()]) {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 11; attempt++) statuses.push((await logIn(guessed, "a wrong guess")).status);
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
    }
    const locked = await logIn(email, password);
    expect(locked.status).toBe(429);
    const { details } = await locked.json<{ details: { retryAfter: number } }>();
    expect(details.retryAfter).toBeGreaterThan(0);
    expect(locked.headers.get("Retry-After")).toBe(String(details.retryAfter));
    expect((await logIn(other.email, other.password)).status).toBe(200);
  });

  it("`POST /auth/login` does not count successful log-ins as attempts", async () => {
    const { email, password } = await openAccount();
    for (let round = 0; round < 12; round++) expect((await logIn(email, password)).status).toBe(200);
  });
});

describe("Session cookie", () => {
  const OWN = "https://media.example";
  const withCookie = (token: string, headers: Record<string, string> = {}, method = "GET") =>
    call("/account", {
      method,
      headers: { Cookie: `__Host-session=${token}`, ...headers, ...(method === "GET" ? {} : JSON_TYPE) },
      ...(method === "GET" ? {} : { body: "{}" }),
    });
  const JSON_TYPE = { "Content-Type": "application/json" };

  it("The session cookie works for the service's own pages", async () => {
    const { token } = await openAccount();
    for (const headers of [{}, { "Sec-Fetch-Site": "none" }, { Origin: OWN, "Sec-Fetch-Site": "same-origin" }]) {
      expect((await withCookie(token, headers as Record<string, string>)).status).toBe(200);
    }
  });

  it("The session cookie does not work for other origins, which must use the header", async () => {
    const { token } = await openAccount();
    const foreign: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ];
    for (const headers of foreign) {
      expect((await withCookie(token, headers)).status).toBe(401);
    }
  });

  it.each<[Record<string, string>, number]>([
    [{ "Sec-Fetch-Site": "same-origin" }, 200],
    [{ Origin: OWN }, 200],
    [{ Origin: OWN, "Sec-Fetch-Site": "same-origin" }, 200],
    [{}, 403],
    [{ "Sec-Fetch-Site": "none" }, 403],
    [{ "Sec-Fetch-Site": "same-site" }, 403],
    [{ "Sec-Fetch-Site": "same-site", Origin: OWN }, 403],
    [{ "Sec-Fetch-Site": "same-origin", Origin: "https://cdn.media.example" }, 403],
    [{ Origin: "https://evil.example" }, 403],
    [{ Origin: "null" }, 403],
    [{ Origin: "http://media.example" }, 403],
    [{ Origin: `${OWN}.evil.example` }, 403],
    [{ Referer: `${OWN}/dashboard` }, 403],
  ])("A change with the session cookie and %j is answered %i", async (headers, status) => {
    const { token } = await openAccount();
    for (const method of ["PATCH", "DELETE"]) {
      const response = await withCookie(token, headers, method);
      // A deletion without a password is refused because of it.
      expect(response.status).toBe(status === 200 && method === "DELETE" ? 400 : status);
      if (status === 403) expect(await response.json()).toMatchObject({ statusCode: 403, error: expect.any(String) });
    }
    expect(await whoAmI(token)).toBe(200);
  });

  it("A change with the `Authorization` header may come from any origin", async () => {
    const { token } = await openAccount();
    const headers = { ...bearer(token), Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site", ...JSON_TYPE };
    expect((await call("/account", { method: "PATCH", headers, body: "{}" })).status).toBe(200);
  });

  it("The session cookie over HTTPS has the `__Host-` name, and no other cookie counts", async () => {
    const { token } = await openAccount();
    expect((await call("/account", { headers: { Cookie: `session=${token}` } })).status).toBe(401);
    const plain = (headers: Record<string, string>) =>
      exports.default.fetch(new Request("http://localhost:8787/account", { headers }));
    expect((await plain({ Cookie: `session=${token}` })).status).toBe(200);
  });
});

describe("POST /auth/logout", () => {
  it("`POST /auth/logout` ends this session and no other", async () => {
    const { email, password, token } = await openAccount();
    const { token: second } = await (await logIn(email, password)).json<{ token: string }>();
    const response = await call("/auth/logout", { method: "POST", headers: bearer(token) });
    expect(response.status).toBe(200);
    expect(response.headers.get("Set-Cookie")).toContain("__Host-session=; Max-Age=0");
    expect(response.headers.get("Clear-Site-Data")).toBe('"cache"');
    expect([await whoAmI(token), await whoAmI(second)]).toEqual([401, 200]);
  });
});

describe("PATCH /account", () => {
  it("`PATCH /account` changes the name", async () => {
    const { token } = await openAccount();
    const response = await callJson("PATCH", "/account", token, { name: "Grace" });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ name: "Grace" });
  });

  it("`PATCH /account` changes the password and ends every other session", async () => {
    const { email, password, token } = await openAccount();
    const { token: second } = await (await logIn(email, password)).json<{ token: string }>();
    const change = { password: "a new long password", currentPassword: password };
    expect((await callJson("PATCH", "/account", token, change)).status).toBe(200);
    expect([await whoAmI(token), await whoAmI(second)]).toEqual([200, 401]);
    expect((await logIn(email, password)).status).toBe(401);
    expect((await logIn(email, change.password)).status).toBe(200);
  });

  it("`PATCH /account` requires the current password for a new one", async () => {
    const { token } = await openAccount();
    const missing = await callJson("PATCH", "/account", token, { password: "a new long password" });
    expect(missing.status).toBe(400);
    expect(await missing.json()).toMatchObject({ details: { currentPassword: expect.any(String) } });
    const wrong = await callJson("PATCH", "/account", token, {
      password: "a new long password",
      currentPassword: "not the password",
    });
    expect(wrong.status).toBe(403);
  });
});

describe("DELETE /account", () => {
  it("`DELETE /account` requires the password", async () => {
    const { token } = await openAccount();
    expect((await callJson("DELETE", "/account", token, { password: "not the password" })).status).toBe(403);
    expect(await whoAmI(token)).toBe(200);
  });

  it("`DELETE /account` erases credentials, files and rows; the email is free again", async () => {
    const { id, email, password, token, apiKey } = await openProAccount();
    const { url } = await uploadOne(apiKey, { name: "a.png", bytes: png() });
    expect((await callJson("DELETE", "/account", token, { password })).status).toBe(200);
    expect(await whoAmI(token)).toBe(401);
    expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(401);
    expect((await call(new URL(url).pathname)).status).toBe(404);
    expect((await env.FILES.list({ prefix: `uploads/${id}/` })).objects).toEqual([]);
    for (const [table, column] of [
      ["accounts", "id"],
      ["keys", "account_id"],
    ]) {
      const rows = await env.DB.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${column} = ?`).bind(id).first();
      expect(rows).toEqual({ count: 0 });
    }
    for (const [table, column] of [
      ["libraries", "id"],
      ["uploads", "account_id"],
      ["folders", "account_id"],
    ]) {
      expect(await inLibraries(`SELECT * FROM ${table} WHERE ${column} = ?`, id)).toEqual([]);
    }
    expect((await register({ email, password })).status).toBe(201);
  });
});
