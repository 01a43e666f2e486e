import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { meterOf } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { giveCode, share, visit } from "../../support/api/shares.ts";
import { createFolder } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";
import { asOperator } from "../../support/operator/as-operator.ts";
import { openFullAccount } from "../../support/uploads/full-account.ts";
import { multipartBody } from "../../support/uploads/multipart.ts";
import { begin, patch } from "../../support/uploads/tus.ts";
import { listTokens, outcomeOf } from "../../support/uploads/upload-tokens.ts";

// Uploads of guests into a share's folder (SHARE-8).

const picture = (seed: number) => png(3 + seed, 3, 1000);

/** The token that the page has; undefined if it offers no uploads. */
async function tokenOf(url: string, init: RequestInit = {}): Promise<string | undefined> {
  return /<media-upload [^>]*token="([^"]+)"/.exec(await (await visit(url, init)).text())?.[1];
}

function upload(token: string | undefined, seed = 0, query = ""): Promise<Response> {
  const headers = bearer(token ?? "");
  return call(`/images/upload?filename=g${seed}.png${query}`, { method: "POST", headers, body: picture(seed) });
}

async function usesOf(token: string, id: string): Promise<unknown> {
  return (await (await call(`/shares/${id}`, { headers: bearer(token) })).json<{ allowUpload: unknown }>()).allowUpload;
}

function sendForm(url: string, files: number, headers: Record<string, string> = {}): Promise<Response> {
  const parts = Array.from({ length: files }, (_, n) => ({ name: "file", filename: `f${n}.png`, content: picture(n) }));
  const type = { "Content-Type": "multipart/form-data; boundary=edge", ...headers };
  return visit(`${url}/files`, { method: "POST", headers: type, body: multipartBody("edge", parts) });
}

describe("Terms", () => {
  it("`true` has no limits, an object has them, and the answer has what guests have stored", async () => {
    const { token } = await openAccount();
    const none = { maxFiles: null, maxBytes: null, types: [], usedFiles: 0, usedBytes: 0 };
    expect(await share(token, { folderId: "root" })).toMatchObject({ allowUpload: false });
    const open = await share(token, { folderId: "root", allowUpload: true });
    expect(open).toMatchObject({ allowUpload: none });
    const limits = { maxFiles: 2, types: ["image/*"] };
    const limited = await share(token, { folderId: "root", allowUpload: limits });
    expect(limited).toMatchObject({ allowUpload: { ...none, ...limits } });
    await upload(await tokenOf(limited.url));
    expect(await usesOf(token, limited._id)).toEqual({
      ...none,
      ...limits,
      usedFiles: 1,
      usedBytes: picture(0).length,
    });
    const { shares } = await (await call("/shares", { headers: bearer(token) })).json<{ shares: object[] }>();
    expect(shares[0]).toMatchObject({ allowUpload: { usedFiles: 1 } });
  });

  it.each<[string, object, string]>([
    ["a share of ids", { ids: ["01arz3ndektsv4rrffq69g5fav"], allowUpload: true }, "allowUpload"],
    ["a share of a filter", { filter: {}, allowUpload: { maxFiles: 1 } }, "allowUpload"],
    ["a limit of no files", { folderId: "root", allowUpload: { maxFiles: 0 } }, "allowUpload.maxFiles"],
    ["an unknown limit", { folderId: "root", allowUpload: { files: 1 } }, "allowUpload"],
    ["null", { folderId: "root", allowUpload: null }, "allowUpload"],
  ])("Uploads of guests with %s are 400, and the answer names the field", async (_, body, field) => {
    const { token } = await openAccount();
    const response = await callJson("POST", "/shares", token, body);
    expect(response.status).toBe(400);
    expect(Object.keys((await response.json<{ details: object }>()).details)).toContain(field);
  });

  it("A share of a filter cannot be changed to take uploads", async () => {
    const { token } = await openAccount();
    const { _id, url } = await share(token, { filter: {} });
    const response = await callJson("PATCH", `/shares/${_id}`, token, { allowUpload: true });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { details: { allowUpload: expect.any(String) } },
    ]);
    expect(await tokenOf(url)).toBeUndefined();
  });
});

describe("The token of a page", () => {
  it("A page's token uploads only into the share's folder, and the page shows the file", async () => {
    const { token } = await openAccount();
    const folderId = await createFolder(token, "Party");
    const below = await createFolder(token, "Below", folderId);
    const { url } = await share(token, { folderId, allowUpload: true });
    const guest = await tokenOf(url);
    expect(await (await upload(guest)).json()).toMatchObject({ folderId });
    for (const other of [below, await createFolder(token, "Mine")])
      expect(await outcomeOf(await upload(guest, 1, `&folderId=${other}`))).toEqual([404, "folder_not_found"]);
    const rooted = await tokenOf((await share(token, { folderId: "root", allowUpload: true })).url);
    expect(await outcomeOf(await upload(rooted, 2, `&folderId=${folderId}`))).toEqual([404, "folder_not_found"]);
    expect(await outcomeOf(await call("/images", { headers: bearer(guest ?? "") }))).toEqual([
      403,
      "upload_token_only",
    ]);
    expect(await (await visit(url)).text()).toContain("<bdi>g0.png</bdi>");
  });

  it("Limits hold for all guests together, also at once, and for all pages", async () => {
    const { token } = await openAccount();
    const limits = { maxFiles: 3, types: ["image/png"] };
    const { _id, url } = await share(token, { folderId: "root", allowUpload: limits });
    const guests = await Promise.all([tokenOf(url), tokenOf(url)]);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => upload(guests[n % 2], n)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 403, 403, 403]);
    expect(await usesOf(token, _id)).toMatchObject({ usedFiles: 3, usedBytes: 3 * picture(0).length });
    expect(await outcomeOf(await upload(guests[0], 9))).toEqual([403, "upload_token_used_up"]);
    await callJson("PATCH", `/shares/${_id}`, token, { allowUpload: { ...limits, maxFiles: 4 } });
    expect((await upload(guests[0], 9)).status).toBe(201);
    expect(await outcomeOf(await upload(guests[1], 10))).toEqual([403, "upload_token_used_up"]);
  });

  it("Stored bytes are limited, too", async () => {
    const { token } = await openAccount();
    const maxBytes = 2 * picture(0).length;
    const { _id, url } = await share(token, { folderId: "root", allowUpload: { maxBytes } });
    const guest = await tokenOf(url);
    const statuses = await Promise.all([0, 1, 2, 3].map(async (n) => (await upload(guest, n)).status));
    expect(statuses.toSorted()).toEqual([201, 201, 403, 403]);
    expect(await usesOf(token, _id)).toMatchObject({ usedFiles: 2, usedBytes: maxBytes });
  });

  it.each<[string, (token: string, id: string) => Promise<Response>]>([
    ["the share is deleted", (token, id) => call(`/shares/${id}`, { method: "DELETE", headers: bearer(token) })],
    ["uploads are turned off", (token, id) => callJson("PATCH", `/shares/${id}`, token, { allowUpload: false })],
    ["the password changes", (token, id) => callJson("PATCH", `/shares/${id}`, token, { password: "another" })],
  ])("A page's token is refused at once when %s, also for an upload that has begun", async (_, end) => {
    const { token } = await openAccount();
    const { _id, url } = await share(token, { folderId: "root", allowUpload: true });
    const guest = (await tokenOf(url)) ?? "";
    const bytes = picture(1);
    const path = await begin(guest, bytes.length, { filename: "late.png" });
    expect((await upload(guest)).status).toBe(201);
    expect((await end(token, _id)).status).toBe(200);
    expect(await outcomeOf(await upload(guest, 2))).toEqual([401, "invalid_key"]);
    expect((await patch(guest, path, 0, bytes)).status).toBe(401);
    expect(await tokenOf(url)).toBeUndefined();
    const { images } = await (await call("/images", { headers: bearer(token) })).json<{ images: object[] }>();
    expect(images).toHaveLength(1);
  });

  it("A token of before does not return when uploads are turned on again", async () => {
    const { token } = await openAccount();
    const { _id, url } = await share(token, { folderId: "root", allowUpload: true });
    const former = await tokenOf(url);
    await upload(former);
    await callJson("PATCH", `/shares/${_id}`, token, { allowUpload: false });
    await callJson("PATCH", `/shares/${_id}`, token, { allowUpload: true });
    expect((await upload(former, 1)).status).toBe(401);
    expect((await upload(await tokenOf(url), 1)).status).toBe(201);
    expect(await usesOf(token, _id)).toMatchObject({ usedFiles: 1 });
  });

  it("A page's token ends with the time of the share, and a later time gives a new token", async () => {
    const { id, token } = await openAccount();
    const { _id, url } = await share(token, { folderId: "root", allowUpload: true });
    const guest = await tokenOf(url);
    await callJson("PATCH", `/shares/${_id}`, token, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await upload(guest)).status).toBe(201);
    await runInDurableObject(meterOf(id), (_, { storage: { sql } }) => {
      sql.exec("UPDATE shares SET share = json_set(share, '$.expiresAt', ?)", Date.now() - 1);
      sql.exec("UPDATE upload_tokens SET expires_at = ?", Date.now() - 1);
    });
    expect(await outcomeOf(await upload(guest, 1))).toEqual([401, "key_expired"]);
    await callJson("PATCH", `/shares/${_id}`, token, { expiresAt: null });
    expect((await upload(await tokenOf(url), 1)).status).toBe(201);
    expect(await usesOf(token, _id)).toMatchObject({ usedFiles: 2 });
  });

  it("A page with a password has it only for a visitor who gave the password", async () => {
    const { token } = await openAccount();
    const { url } = await share(token, { folderId: "root", password: "open sesame", allowUpload: true });
    expect(await (await visit(url)).text()).not.toContain("service_token_");
    expect((await sendForm(url, 1)).status).toBe(403);
    const [Cookie = ""] = ((await giveCode(url, "open sesame")).headers.get("Set-Cookie") ?? "").split(";");
    expect((await upload(await tokenOf(url, { headers: { Cookie } }))).status).toBe(201);
    expect((await sendForm(url, 1, { Cookie })).status).toBe(303);
  });

  it("A suspended account and a full one refuse it with their reasons", async () => {
    const { email, token } = await openAccount();
    const { url } = await share(token, { folderId: "root", allowUpload: true });
    const guest = await tokenOf(url);
    await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" });
    expect(await outcomeOf(await upload(guest))).toEqual([403, "account_suspended"]);
    const full = await openFullAccount(10);
    const open = await share(full.token, { folderId: "root", allowUpload: true });
    const [, code] = await outcomeOf(await upload(await tokenOf(open.url)));
    expect(code).toBe("storage_limit_exceeded");
  });

  it("A page's token belongs to the share: the list of upload tokens does not have it, and cannot end it", async () => {
    const { id, token } = await openAccount();
    const { url } = await share(token, { folderId: "root", allowUpload: true });
    expect(await listTokens(token)).toEqual([]);
    const rows = await runInDurableObject(meterOf(id), (_, { storage: { sql } }) => [
      ...sql.exec<{ id: string }>("SELECT * FROM upload_tokens").toArray(),
      ...sql.exec("SELECT * FROM shares").toArray(),
    ]);
    const removal = await call(`/upload-tokens/${rows[0]?.id}`, { method: "DELETE", headers: bearer(token) });
    expect(removal.status).toBe(404);
    const guest = (await tokenOf(url)) ?? "";
    expect((await upload(guest)).status).toBe(201);
    expect(JSON.stringify(rows)).not.toContain(guest);
  });

  it("A page has a working token again after JWT_SECRET was changed or a backup restored", async () => {
    const { id, token } = await openAccount();
    const { _id, url } = await share(token, { folderId: "root", allowUpload: { maxFiles: 2 } });
    await upload(await tokenOf(url));
    await runInDurableObject(meterOf(id), (_, { storage: { sql } }) => {
      sql.exec("UPDATE upload_tokens SET hash = 'of another secret'");
    });
    expect((await upload(await tokenOf(url), 1)).status).toBe(201);
    expect(await usesOf(token, _id)).toMatchObject({ usedFiles: 2 });
    await runInDurableObject(meterOf(id), (_, { storage: { sql } }) => {
      sql.exec("DELETE FROM upload_tokens");
    });
    expect((await upload(await tokenOf(url), 2)).status).toBe(201);
  });
});

describe("The page", () => {
  it("A page that takes uploads has the element and its token, which the policy allows; no other page has them", async () => {
    const { token } = await openAccount();
    const open = await visit((await share(token, { folderId: "root", allowUpload: true })).url);
    expect(await open.text()).toMatch(/<media-upload [^>]*token=".+<script type="module" src="\/media-upload\.js">/s);
    const policy = open.headers.get("Content-Security-Policy") ?? "";
    for (const part of ["script-src 'self'", "connect-src 'self'"]) expect(policy).toContain(part);
    expect(policy).not.toContain("unsafe");
    expect(await (await visit((await share(token, { folderId: "root" })).url)).text()).not.toContain("<media-upload");
  });

  it("A form without scripts stores the files, and says why a file is refused", async () => {
    const { token } = await openAccount();
    const { _id, url } = await share(token, { folderId: "root", allowUpload: { maxFiles: 3 } });
    expect(await (await visit(url)).text()).toContain(`<form method="post" action="${url}/files"`);
    const stored = await sendForm(url, 2);
    expect([stored.status, stored.headers.get("Location")]).toEqual([303, new URL(url).pathname]);
    expect(stored.headers.get("X-Storage-Used")).toBe("0");
    expect(await usesOf(token, _id)).toMatchObject({ usedFiles: 2 });
    const partly = await (await sendForm(url, 2)).text();
    expect(partly).toContain("f1.png: No more files can be uploaded here");
    expect((await sendForm(url, 1)).status).toBe(403);
    const odd = { "Content-Type": "text/plain", "Tus-Resumable": "1.0.0", "Upload-Length": "5" };
    expect((await visit(`${url}/files`, { method: "POST", headers: odd, body: "hello" })).status).toBe(415);
    const closed = await share(token, { folderId: "root" });
    expect((await sendForm(closed.url, 1)).status).toBe(403);
    await uploadOne(token, { name: "mine.png", bytes: picture(7) });
  });
});
