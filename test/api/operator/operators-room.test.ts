import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ageProofs } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  newAddress,
  openAccount,
  setTier,
  uploadOne,
} from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";
import { asMarked, newestEntry, openOperator } from "../../support/operator/as-marked.ts";
import { asOperator, takeDown } from "../../support/operator/as-operator.ts";
import { observe } from "../../support/operator/observed.ts";

const REASON = { reason: "Spam" };

async function refusal(answer: Promise<Response>): Promise<[number, string]> {
  const response = await answer;
  return [response.status, (await response.json<{ code: string }>()).code];
}

describe("A session of an account with the operator's mark", () => {
  it("A marked account's session reads and changes accounts, and the audit log names the account", async () => {
    const operator = await openOperator();
    const other = await openAccount();
    const shown = await asMarked(operator, "GET", `accounts/${other.email}`);
    expect([shown.status, await shown.json()]).toMatchObject([200, { _id: other.id, operator: false, tier: "free" }]);
    const headers = { "X-Operator": "somebody%20else" };
    const suspended = await asMarked(operator, "POST", `accounts/${other.email}/suspend`, { body: REASON, headers });
    expect(suspended.status).toBe(200);
    const entry = { actor: `account:${operator.id}`, action: "suspendAccount", reason: "Spam", status: 200 };
    expect(await newestEntry(other.id)).toEqual(entry);
    expect((await call("/images", { headers: bearer(other.token) })).status).toBe(403);
    expect((await asMarked(operator, "POST", `accounts/${other.email}/unsuspend`, { body: REASON })).status).toBe(200);
    expect((await call("/images", { headers: bearer(other.token) })).status).toBe(200);
  });

  it("A name in `X-Operator` cannot pass for an account or the moderation hook", async () => {
    const { id, email } = await openAccount();
    for (const name of [`account:${id}`, "moderation hook"]) {
      await asOperator("POST", `accounts/${email}/end-sessions`, REASON, { "X-Operator": encodeURIComponent(name) });
      expect(await newestEntry(id)).toMatchObject({ actor: `"${name}"`, status: 200 });
    }
  });

  it("A session without the mark is 403 `operator_required`, an API key of a marked account 401, and neither is recorded", async () => {
    const unmarked = await openAccount();
    const other = await openAccount();
    const path = `accounts/${other.email}/suspend`;
    const before = await newestEntry(other.id);
    expect(await refusal(asMarked(unmarked, "POST", path, { body: REASON }))).toEqual([403, "operator_required"]);
    expect(await refusal(asMarked(unmarked, "GET", "accounts"))).toEqual([403, "operator_required"]);
    const operator = await openOperator();
    await setTier(operator.email, "pro");
    const { key } = await createApiKey(operator.token);
    const headers = { ...bearer(key), "CF-Connecting-IP": newAddress() };
    expect(await refusal(call("/admin/accounts", { headers }))).toEqual([401, "invalid_key"]);
    expect(await newestEntry(other.id)).toEqual(before);
  });

  it("The first request after the mark is taken is refused, and so is each request of a suspended operator", async () => {
    const operator = await openOperator();
    expect((await asMarked(operator, "GET", "reports")).status).toBe(200);
    expect((await asOperator("POST", `accounts/${operator.email}/unmark-operator`, REASON)).status).toBe(200);
    expect(await refusal(asMarked(operator, "GET", "reports"))).toEqual([403, "operator_required"]);

    const suspended = await openOperator();
    await asOperator("POST", `accounts/${suspended.email}/suspend`, REASON);
    expect(await refusal(asMarked(suspended, "GET", "reports"))).toEqual([403, "account_suspended"]);
    const ended = await openOperator();
    await asOperator("POST", `accounts/${ended.email}/end-sessions`, REASON);
    expect(await refusal(asMarked(ended, "GET", "reports"))).toEqual([401, "invalid_session"]);
  });

  it("A change from another site or another origin is 403 `cross_site_request`, and a read from there has no session", async () => {
    const operator = await openOperator();
    const { email, id } = await openAccount();
    for (const headers of [
      { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "same-site", Origin: "https://cdn.example" },
      { "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" },
    ]) {
      const change = asMarked(operator, "POST", `accounts/${email}/erase`, { body: REASON, headers });
      expect(await refusal(change)).toEqual([403, "cross_site_request"]);
      expect(await refusal(asMarked(operator, "GET", "accounts", { headers }))).toEqual([
        401,
        "authorization_required",
      ]);
    }
    expect(await newestEntry(id)).toBeUndefined();
  });

  it("A change needs a proof of the last 15 minutes, a read does not, and the refusal is recorded", async () => {
    const operator = await openOperator();
    const other = await openAccount();
    await ageProofs(operator.id);
    expect((await asMarked(operator, "GET", `accounts/${other.email}`)).status).toBe(200);
    const change = () => asMarked(operator, "POST", `accounts/${other.email}/suspend`, { body: REASON });
    expect(await refusal(change())).toEqual([403, "reauthentication_required"]);
    expect(await newestEntry(other.id)).toMatchObject({ action: "suspendAccount", status: 403 });
    await callJson("POST", "/auth/reauthenticate", operator.token, { password: operator.password });
    expect((await change()).status).toBe(200);
  });

  it("A session changes no account that has the mark, its own included", async () => {
    const operator = await openOperator();
    const colleague = await openOperator();
    for (const { email } of [operator, colleague]) {
      for (const action of ["suspend", "unsuspend", "end-sessions", "erase"]) {
        const change = asMarked(operator, "POST", `accounts/${email}/${action}`, { body: REASON });
        expect(await refusal(change)).toEqual([403, "operator_account"]);
      }
      const body = { tier: "business" };
      expect(await refusal(asMarked(operator, "PUT", `accounts/${email}`, { body }))).toEqual([
        403,
        "operator_account",
      ]);
    }
    expect((await asMarked(operator, "GET", "reports")).status).toBe(200);
    expect((await asOperator("POST", `accounts/${colleague.email}/suspend`, REASON)).status).toBe(200);
  });

  it("A session can neither give the mark nor take over an account", async () => {
    const operator = await openOperator();
    const { email } = await openAccount();
    for (const [method, path, body] of [
      ["GET", "operators", undefined],
      ["POST", `accounts/${email}/mark-operator`, REASON],
      ["POST", `accounts/${operator.email}/unmark-operator`, REASON],
      ["POST", `accounts/${email}/set-email`, { email: "new@example.com", reason: "x" }],
      ["POST", `accounts/${email}/send-reset`, REASON],
      ["POST", "schema", undefined],
      ["GET", "backup", undefined],
      ["PUT", "invitations/friend@example.com", { show: true }],
    ] as const) {
      const answer = await asMarked(operator, method, path, { body });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
    const answer = await asMarked(operator, "PUT", `accounts/${email}`, { body: { tier: "pro" } });
    expect(await refusal(Promise.resolve(answer))).toEqual([409, "email_unverified"]);
  });

  it("A tier that makes a new upload key answers it to the operator's token, and not to a session", async () => {
    const operator = await openOperator();
    /** An account whose upload key was revoked. */
    const openWithoutKey = async () => {
      const { email, token } = await openAccount();
      await callJson("POST", "/keys/upload/regenerate", token, {});
      const { keys } = await (await call("/keys", { headers: bearer(token) })).json<{ keys: { _id: string }[] }>();
      for (const { _id } of keys) await call(`/keys/${_id}`, { method: "DELETE", headers: bearer(token) });
      await env.DB.prepare("UPDATE accounts SET email_verified_at = 1 WHERE email = ?").bind(email).run();
      return email;
    };
    const body = { tier: "starter" };
    const byToken = await asOperator("PUT", `accounts/${await openWithoutKey()}`, body);
    expect(await byToken.json()).toMatchObject({
      tier: "starter",
      uploadKey: expect.stringMatching(/^service_upload_/),
    });
    const bySession = await asMarked(operator, "PUT", `accounts/${await openWithoutKey()}`, { body });
    const answer = await bySession.json();
    expect([bySession.status, answer]).toMatchObject([200, { tier: "starter" }]);
    expect(answer).not.toHaveProperty("uploadKey");
  });
});

describe("The operator's mark", () => {
  it("An account with an unverified e-mail gets the mark only with its id, keeps it, and is listed until it is erased", async () => {
    const account = await openAccount();
    const path = `accounts/${account.email}/mark-operator`;
    expect(await refusal(asOperator("POST", path, REASON))).toEqual([409, "email_unverified"]);
    expect(await refusal(asOperator("POST", path, { ...REASON, accountId: "0".repeat(26) }))).toEqual([
      404,
      "account_not_found",
    ]);
    const marked = await asOperator("POST", path, { ...REASON, accountId: account.id });
    expect(await marked.json()).toMatchObject({ _id: account.id, operator: true });
    const shown = await (await call("/account", { headers: bearer(account.token) })).json();
    expect(shown).toMatchObject({ operator: true });
    const since = () =>
      env.DB.prepare("SELECT operator_since FROM accounts WHERE id = ?").bind(account.id).first("operator_since");
    const first = await since();
    await asOperator("POST", path, { ...REASON, accountId: account.id });
    expect(await since()).toBe(first);
    expect(await ids("operators")).toContain(account.id);
    expect((await asOperator("POST", `accounts/${account.email}/erase`, REASON)).status).toBe(200);
    expect(await ids("operators")).not.toContain(account.id);
  });
});

async function ids(path: string): Promise<string[]> {
  const answer = await asOperator("GET", path);
  expect(answer.status).toBe(200);
  const { accounts } = await answer.json<{ accounts: { _id: string }[] }>();
  return accounts.map(({ _id }) => _id);
}

describe("`GET /admin/accounts`", () => {
  it("`GET /admin/accounts` finds accounts by the beginning of their e-mail or by their id, page by page", async () => {
    const accounts = [await openAccount(), await openAccount(), await openAccount()];
    const stem = crypto.randomUUID();
    const expected: string[] = [];
    for (const [i, { id, email }] of accounts.entries()) {
      const body = { email: `${stem}-${i}@example.com`, reason: "a test" };
      expect((await asOperator("POST", `accounts/${email}/set-email`, body)).status).toBe(200);
      expected.push(id);
    }
    const found: string[] = [];
    for (let cursor: string | null = "", pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(3);
      const answer: Response = await asOperator("GET", `accounts?q=${stem.toUpperCase()}&limit=2&cursor=${cursor}`);
      const page = await answer.json<{ accounts: { _id: string }[]; pagination: { nextCursor: string | null } }>();
      found.push(...page.accounts.map(({ _id }) => _id));
      cursor = page.pagination.nextCursor;
    }
    expect(found).toEqual(expected);
    expect(await ids(`accounts?q=${expected[1]}`)).toEqual([expected[1]]);
    expect(await ids(`accounts?q=${"0".repeat(26)}`)).toEqual([]);
    expect(await ids(`accounts?q=${stem.slice(0, -1)}%25`)).toEqual([]);
    expect(await refusal(asOperator("GET", "accounts?q=a&cursor=x"))).toEqual([400, "invalid_cursor"]);
  });

  it("`GET /admin/accounts` lists no account that is being erased", async () => {
    const { id, email } = await openAccount();
    await env.DB.prepare("UPDATE accounts SET email = 'erased:' || id WHERE id = ?").bind(id).run();
    expect(await ids(`accounts?q=${id}`)).toEqual([]);
    expect(await ids("accounts?q=erased")).toEqual([]);
    expect(await ids(`accounts?q=${email}`)).toEqual([]);
  });
});

describe("`GET /admin/reports/{id}`", () => {
  async function report(url: string): Promise<string> {
    const headers = { "Content-Type": "application/json", "CF-Connecting-IP": newAddress() };
    const answer = await call("/reports", { method: "POST", headers, body: JSON.stringify({ url, reason: "Mine" }) });
    return (await answer.json<{ id: string }>()).id;
  }

  interface Shown {
    readonly account: { readonly email: string; readonly suspension: object | null } | null;
    readonly file: {
      readonly previewUrl: string;
      readonly viewUrl: string;
      readonly visibility: string;
      readonly takedown: object | null;
    } | null;
  }

  it("`GET /admin/reports/{id}` shows the file of a report, also a private one, without counting a view", async () => {
    const operator = await openOperator();
    const owner = await openAccount();
    // No other test uploads these bytes, which are blocked from the takedown on.
    const { _id, url } = await uploadOne(owner.token, { name: "a.png", bytes: png(1, 1, 9301) });
    await callJson("PATCH", `/images/${_id}`, owner.token, { visibility: "private" });
    expect((await call(new URL(url).pathname)).status).toBe(403);
    const id = await report(url);
    const answer = await asMarked(operator, "GET", `reports/${id}`);
    const { account, file } = await answer.json<Shown>();
    expect(account).toMatchObject({ email: owner.email, suspension: null });
    expect(file).toMatchObject({ visibility: "private", takedown: null });
    const { pathname, search } = new URL(file?.viewUrl ?? "");
    expect((await call(pathname + search)).status).toBe(200);
    expect(file?.previewUrl).toMatch(new RegExp(`/previews/${owner.id}/${_id}-.*\\?preview=`));
    await takeDown({ id: _id });
    await asOperator("POST", `accounts/${owner.email}/suspend`, REASON);
    const after = await (await asMarked(operator, "GET", `reports/${id}`)).json<Shown>();
    expect(after).toMatchObject({ account: { suspension: REASON }, file: { takedown: { reason: "Copyright" } } });
  });

  it("`GET /admin/reports/{id}` has no file if the URL is of none, or the upload or the account is gone", async () => {
    const nowhere = await asOperator("GET", `reports/${await report("https://a.example/")}`);
    expect(await nowhere.json()).toMatchObject({ account: null, file: null });
    const owner = await openAccount();
    const { _id, url } = await uploadOne(owner.token, { name: "a.png", bytes: png() });
    const id = await report(url);
    await call(`/images/${_id}`, { method: "DELETE", headers: bearer(owner.token) });
    const gone = await asOperator("GET", `reports/${id}`);
    expect(await gone.json()).toMatchObject({ account: { _id: owner.id }, file: null });
    await asOperator("POST", `accounts/${owner.email}/erase`, REASON);
    expect(await (await asOperator("GET", `reports/${id}`)).json()).toMatchObject({ account: null, file: null });
    expect(await refusal(asOperator("GET", `reports/${"0".repeat(26)}`))).toEqual([404, "report_not_found"]);
  });
});

describe("`GET /admin/takedowns`", () => {
  interface Listed {
    readonly id: string;
    readonly uploadId: string;
    readonly originalFilename: string;
    readonly email: string | null;
    readonly actor: string | null;
    readonly actorEmail: string | null;
    readonly reason: string;
  }

  async function list(query: string): Promise<{ takedowns: Listed[]; nextCursor: string | null }> {
    const answer = await asOperator("GET", `takedowns?${query}`);
    expect(answer.status).toBe(200);
    const { takedowns, pagination } = await answer.json<{
      takedowns: Listed[];
      pagination: { nextCursor: string | null };
    }>();
    return { takedowns, nextCursor: pagination.nextCursor };
  }

  it("`GET /admin/takedowns` names the file, its account and the actor: the token's name, or the marked account by e-mail", async () => {
    const operator = await openOperator();
    const owner = await openAccount();
    const [one, other] = [
      await uploadOne(owner.token, { name: "a.png", bytes: png(1, 1, 9302) }),
      await uploadOne(owner.token, { name: "b.png", bytes: png(1, 1, 9303) }),
    ];
    await callJson("PATCH", `/images/${one._id}`, owner.token, { originalFilename: "Summer.png" });
    const signed = { "X-Operator": `account:${operator.id}` };
    const body = { id: one._id, reason: "Copyright" };
    expect((await asOperator("POST", "takedowns", body, signed)).status).toBe(200);
    const order = { url: other.url, reason: "Spam" };
    expect((await asMarked(operator, "POST", "takedowns", { body: order })).status).toBe(200);

    const { takedowns } = await list("limit=2");
    expect(takedowns).toMatchObject([
      {
        uploadId: other._id,
        originalFilename: "b.png",
        email: owner.email,
        reason: "Spam",
        actor: `account:${operator.id}`,
        actorEmail: operator.email,
      },
      {
        uploadId: one._id,
        originalFilename: "Summer.png",
        email: owner.email,
        reason: "Copyright",
        actor: `"account:${operator.id}"`,
        actorEmail: null,
      },
    ]);
    await asOperator("POST", `accounts/${operator.email}/erase`, REASON);
    await asOperator("POST", `accounts/${owner.email}/erase`, REASON);
    const [shown] = (await list(`file=${other._id}`)).takedowns;
    const actor = `account:${operator.id}`;
    expect(shown).toMatchObject({ originalFilename: "b.png", email: null, actor, actorEmail: null });
  });

  it("`GET /admin/takedowns?file=` lists the takedowns of one file by its id or URL, page by page", async () => {
    const owner = await openAccount();
    const { _id, url } = await uploadOne(owner.token, { name: "a.png", bytes: png(1, 1, 9304) });
    const ids: string[] = [];
    for (let time = 0; time < 3; time++) {
      const { id } = await takeDown({ id: _id });
      ids.unshift(id);
      expect((await asOperator("DELETE", `takedowns/${id}`)).status).toBe(200);
    }
    const found: string[] = [];
    for (let cursor: string | null = "", pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(2);
      const page = await list(`file=${encodeURIComponent(url)}&limit=2&cursor=${cursor}`);
      found.push(...page.takedowns.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(ids);
    expect((await list(`file=${_id.toUpperCase()}`)).takedowns).toHaveLength(3);
    expect((await list(`file=${"0".repeat(26)}`)).takedowns).toEqual([]);
    expect((await list("file=a%25")).takedowns).toEqual([]);
    expect(await refusal(asOperator("GET", `takedowns?file=${_id}&cursor=x`))).toEqual([400, "invalid_cursor"]);
  });

  it("A takedown of an earlier version has the name of its key and no actor", async () => {
    const id = `0${crypto.randomUUID().replaceAll("-", "").slice(0, 25)}`;
    const key = `uploads/${"1".repeat(26)}/${id}.0123abcd-two-words.png`;
    await env.DB.prepare(
      "INSERT INTO takedowns VALUES (?1, ?2, ?1, ?3, 'image/png', 1, 'Old', 1, NULL, 'destroyed', 1, NULL, NULL)",
    )
      .bind(id, "1".repeat(26), key)
      .run();
    const { takedowns } = await list(`file=${id}`);
    const nobody = { email: null, actor: null, actorEmail: null };
    expect(takedowns).toMatchObject([{ originalFilename: "two-words.png", ...nobody }]);
    await env.DB.prepare("DELETE FROM takedowns WHERE id = ?").bind(id).run();
  });
});

describe("`GET /admin/overview`", () => {
  it("`GET /admin/overview` has every dependency, queue and database, and the hour's requests by their answers", async () => {
    const operator = await openOperator();
    const read = async () => {
      const answer = await asMarked(operator, "GET", "overview");
      expect(answer.status).toBe(200);
      return answer.json<{
        dependencies: { name: string; status: string }[];
        queues: { name: string }[];
        databases: { name: string; bytes: number }[];
        hours: { at: string; requests: number; clientErrors: number; serverErrors: number }[];
      }>();
    };
    const before = await read();
    await observe("/account", { headers: bearer(operator.token) });
    await observe(`/no-such-path-${crypto.randomUUID()}`);
    const after = await read();
    expect(after.dependencies.map(({ name }) => name)).toEqual(expect.arrayContaining(["directory", "files", "meter"]));
    expect(after.queues.map(({ name }) => name)).toEqual(expect.arrayContaining(["uploads", "uploads-dead", "views"]));
    expect(after.databases.find(({ name }) => name === "directory")?.bytes).toBeGreaterThan(0);
    const sum = ({ hours }: Awaited<ReturnType<typeof read>>, name: "requests" | "clientErrors" | "serverErrors") =>
      hours.reduce((total, hour) => total + hour[name], 0);
    expect(sum(after, "requests") - sum(before, "requests")).toBeGreaterThanOrEqual(2);
    expect(sum(after, "clientErrors") - sum(before, "clientErrors")).toBeGreaterThanOrEqual(1);
    expect(sum(after, "serverErrors")).toBe(sum(before, "serverErrors"));
  });
});
