import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { FAILURES_OF_STRANGERS } from "../../../src/domain/log-in-limits.ts";
import { MAX_SHARES, SHARE_VISITS_PER_MINUTE, SHARED_FILES_A_PAGE } from "../../../src/domain/share.ts";
import { meterOf } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  newAddress,
  openAccount,
  openProAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { giveCode, type Share, share, visit } from "../../support/api/shares.ts";
import { photoWithComment } from "../../support/codecs/photo.ts";
import { createFolder, uploadMany } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";
import { asOperator, takeDown } from "../../support/operator/as-operator.ts";
import { open } from "../../support/private/private-files.ts";

// Shares (SHARE-1 to SHARE-7): their owner's endpoints, and their pages.

const picture = (name: string) => ({ name, bytes: png() });

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  return (await visit(url, init)).status;
}

/** The names on a page, in their order. */
function namesOf(page: string): string[] {
  return Array.from(page.matchAll(/<bdi>([^<]*)<\/bdi>/g), ([, name]) => name ?? "");
}

/** The addresses of a page's attributes, as a browser reads them. */
function addressesOf(page: string, attribute: "href" | "src"): string[] {
  return Array.from(page.matchAll(new RegExp(`${attribute}="([^"]*)"`, "g")), ([, url]) =>
    (url ?? "").replaceAll("&amp;", "&"),
  );
}

describe("A share's owner", () => {
  it("A share of a folder shows its active files, and answers its terms and its URL again", async () => {
    const { token } = await openAccount();
    const folderId = await createFolder(token, "Summer");
    await uploadOne(token, picture("in.png"), { folderId });
    const trashed = await uploadOne(token, picture("trashed.png"), { folderId });
    await uploadOne(token, picture("elsewhere.png"));
    await callJson("POST", "/images/bulk-trash", token, { ids: [trashed._id] });

    const made = await share(token, { folderId, title: "Our summer" });
    expect(made).toEqual({
      _id: expect.any(String),
      url: expect.stringMatching(/^https:\/\/media\.example\/s\/[0-9a-z]{52}[\w-]{22}$/),
      folderId,
      title: "Our summer",
      hasPassword: false,
      createdAt: expect.any(String),
      expiresAt: null,
      allowDownload: true,
      indexed: false,
      views: 0,
      allowUpload: false,
    });
    const page = await visit(made.url);
    expect([page.status, page.headers.get("X-Robots-Tag")]).toEqual([200, "noindex"]);
    const text = await page.text();
    expect(namesOf(text)).toEqual(["in.png"]);
    expect(text).toContain('<h1 dir="auto">Our summer</h1>');
    const visited = { ...made, views: 1 };
    expect(await (await call(`/shares/${made._id}`, { headers: bearer(token) })).json()).toEqual(visited);
    expect(await (await call("/shares", { headers: bearer(token) })).json()).toEqual({
      shares: [visited],
      pagination: { nextCursor: null },
    });
  });

  it("A share of ids keeps their order, and one of a filter shows what matches when it is opened", async () => {
    const { token } = await openAccount();
    const [a, b, c] = await uploadMany(token, [picture("a.png"), picture("b.png"), picture("c.png")], {
      tags: "beach",
    });
    const ids = [b?._id, a?._id, c?._id, b?._id];
    expect(namesOf(await (await visit((await share(token, { ids })).url)).text())).toEqual(["b.png", "a.png", "c.png"]);
    const filtered = await share(token, { filter: { tags: ["beach"], folderId: "all" } });
    await uploadOne(token, picture("later.png"), { tags: "beach" });
    await uploadOne(token, picture("other.png"));
    expect(namesOf(await (await visit(filtered.url)).text())).toEqual(["later.png", "c.png", "b.png", "a.png"]);
  });

  it.each<[string, object, string]>([
    ["no files", {}, "folderId"],
    ["two kinds of files", { folderId: "root", ids: ["01arz3ndektsv4rrffq69g5fav"] }, "ids"],
    ["no ids", { ids: [] }, "ids"],
    ["a time that is over", { folderId: "root", expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["an empty password", { folderId: "root", password: "" }, "password"],
    ["a title that reorders text", { folderId: "root", title: "a\u202eb" }, "title"],
    ["the status of a filter", { filter: { status: "trash" } }, "filter"],
  ])("A share with %s is 400 and names the field", async (_, body, field) => {
    const { token } = await openAccount();
    const response = await callJson("POST", "/shares", token, body);
    expect(response.status).toBe(400);
    expect(Object.keys((await response.json<{ details: object }>()).details).join()).toContain(field);
  });

  it("Another account's folder, file and share are unknown", async () => {
    const [owner, stranger] = [await openAccount(), await openAccount()];
    const folderId = await createFolder(owner.token, "Mine");
    const { _id } = await uploadOne(owner.token, picture("mine.png"));
    const made = await share(owner.token, { folderId });
    const codes = [
      await callJson("POST", "/shares", stranger.token, { folderId }),
      await callJson("POST", "/shares", stranger.token, { filter: { folderId } }),
      await callJson("POST", "/shares", stranger.token, { ids: [_id] }),
      await callJson("PATCH", `/shares/${made._id}`, stranger.token, { title: "Yours" }),
      await call(`/shares/${made._id}`, { method: "DELETE", headers: bearer(stranger.token) }),
      await call(`/shares/${made._id}`, { headers: bearer(stranger.token) }),
    ].map(async (response) => [response.status, (await response.json<{ code: string }>()).code]);
    expect(await Promise.all(codes)).toEqual([
      [404, "folder_not_found"],
      [404, "folder_not_found"],
      [404, "image_not_found"],
      [404, "share_not_found"],
      [404, "share_not_found"],
      [404, "share_not_found"],
    ]);
    expect(await statusOf(made.url)).toBe(200);
  });

  it("A key without the scope, or confined to a folder, makes no share", async () => {
    const pro = await openProAccount();
    const { key } = await createApiKey(pro.token, ["images:read"]);
    expect((await callJson("POST", "/shares", key, { folderId: "root" })).status).toBe(403);
    expect((await call("/shares", { headers: bearer(key) })).status).toBe(200);
  });

  it("An account has at most 1,000 shares, also if many are made at once", async () => {
    const { id, token } = await openAccount("business");
    await share(token, { folderId: "root" });
    await runInDurableObject(meterOf(id), (_, { storage }) => {
      const [row] = storage.sql.exec<{ share: string }>("SELECT share FROM shares").toArray();
      for (let n = 0; n < MAX_SHARES - 2; n++)
        storage.sql.exec("INSERT INTO shares (id, created_at, share) VALUES (?, 1, ?)", `0${n}`, row?.share ?? "");
    });
    const made = await Promise.all(
      Array.from({ length: 4 }, async () => (await callJson("POST", "/shares", token, { folderId: "root" })).status),
    );
    expect(made.toSorted()).toEqual([201, 400, 400, 400]);
  });

  it("Nothing at rest has a share's token or password", async () => {
    const { id, token } = await openAccount();
    const { url } = await share(token, { folderId: "root", password: "open sesame" });
    const rows = await runInDurableObject(meterOf(id), (_, { storage }) =>
      storage.sql.exec("SELECT * FROM shares").toArray(),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("open sesame");
    expect(JSON.stringify(rows)).not.toContain(url.slice(-22));
  });
});

describe("The page", () => {
  it("A made-up token is 404 and wakes no account's object", async () => {
    const { id, token } = await openAccount();
    const { url } = await share(token, { folderId: "root" });
    const last = url.at(-2) === "A" ? "B" : "A";
    const touched: string[] = [];
    const watched = new Proxy(env.ACCOUNT_METER, {
      get: (real, name) => {
        if (name !== "getByName") return Reflect.get(real, name).bind(real);
        return (wanted: string) => {
          touched.push(wanted);
          return real.getByName(wanted);
        };
      },
    });
    const { default: worker } = await import("../../../src/worker.ts");
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    const get = async (path: string) =>
      (
        await worker.fetch(
          new Request(`https://media.example${path}`),
          { ...env, ACCOUNT_METER: watched },
          context as unknown as ExecutionContext,
        )
      ).status;
    const { pathname } = new URL(url);
    const forged = pathname.slice(0, -2) + last + pathname.slice(-1);
    for (const path of [forged, "/s/x", `/s/${"0".repeat(5000)}`, "/s/%00", `${pathname}x`])
      expect(await get(path)).toBe(404);
    expect(touched).toEqual([]);
    expect(await get(pathname)).toBe(200);
    expect(touched).toEqual([id]);
  });

  it("A deleted share is 404 at once, and one whose time is over 410 until its time is changed", async () => {
    const { id, token } = await openAccount();
    const ended = await share(token, { folderId: "root" });
    expect(await statusOf(ended.url)).toBe(200);
    await call(`/shares/${ended._id}`, { method: "DELETE", headers: bearer(token) });
    expect(await statusOf(ended.url)).toBe(404);

    const over = await share(token, { folderId: "root", expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect(await statusOf(over.url)).toBe(200);
    await runInDurableObject(meterOf(id), (_, { storage }) =>
      storage.sql.exec("UPDATE shares SET share = json_set(share, '$.expiresAt', ?)", Date.now() - 1).toArray(),
    );
    expect(await statusOf(over.url)).toBe(410);
    expect((await callJson("PATCH", `/shares/${over._id}`, token, { expiresAt: null })).status).toBe(200);
    expect(await statusOf(over.url)).toBe(200);
  });

  it("The page of a deleted folder is 404, and a taken down file is not on its page", async () => {
    const { token } = await openAccount();
    const folderId = await createFolder(token, "Gone");
    const kept = await uploadOne(token, picture("kept.png"), { folderId });
    // Other tests may upload the usual bytes.
    const down = await uploadOne(token, { name: "down.png", bytes: png(9, 9, 4711) }, { folderId });
    const { url } = await share(token, { folderId });
    await takeDown({ url: down.url, reason: "illegal" });
    expect(namesOf(await (await visit(url)).text())).toEqual(["kept.png"]);
    expect(await open(kept.url)).toBe(200);
    await call(`/folders/${folderId}`, { method: "DELETE", headers: bearer(token) });
    expect(await statusOf(url)).toBe(404);
  });

  it("The page of a suspended or erased account is closed", async () => {
    const { email, password, token } = await openAccount();
    const { url } = await share(token, { folderId: "root" });
    expect(await statusOf(url)).toBe(200);
    expect((await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" })).status).toBe(200);
    expect(await statusOf(url)).toBe(403);
    expect((await asOperator("POST", `accounts/${email}/unsuspend`, { reason: "A mistake" })).status).toBe(200);
    expect(await statusOf(url)).toBe(200);
    expect((await callJson("DELETE", "/account", token, { password })).status).toBeLessThan(300);
    expect(await statusOf(url)).toBe(404);
  });

  it("Hostile names and titles are shown as text, and the policy allows only the service's own script", async () => {
    const { token } = await openAccount();
    const name = `"><img src=x onerror=alert(1)>'&lt;.png`;
    await uploadOne(token, picture("a.png"));
    const { images } = await (await call("/images", { headers: bearer(token) })).json<{ images: { _id: string }[] }>();
    await callJson("PATCH", `/images/${images[0]?._id}`, token, { originalFilename: name, alt: `"onload="x` });
    const title = `</title><script>alert(1)</script>"'`;
    const page = await visit((await share(token, { folderId: "root", title })).url);
    const text = await page.text();
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/share-page/page.js">']);
    expect(text).not.toMatch(/<img src=x|"onload=/);
    expect(text).toContain("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;");
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    for (const part of [
      "script-src 'self'; style-src 'sha256-",
      "require-trusted-types-for 'script'; trusted-types 'none'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("Referrer-Policy")).toBe("strict-origin");
  });

  it("The page has the theme of its cookie before any script runs", async () => {
    const { token } = await openAccount();
    const { url } = await share(token, { folderId: "root" });
    const themeOf = async (Cookie: string) =>
      /<html lang="en" ?([^>]*)>/.exec(await (await visit(url, { headers: { Cookie } })).text())?.[1];
    expect(await themeOf("share-theme=dark")).toBe('data-theme="dark"');
    for (const other of ["share-theme=%22%3E%3Cscript%3E", "theme=dark"]) expect(await themeOf(other)).toBe("");
  });

  it("Pages follow each other by links, each file once", async () => {
    const { token } = await openAccount("business");
    const count = SHARED_FILES_A_PAGE + 5;
    await uploadMany(
      token,
      Array.from({ length: count }, (_, n) => picture(`n${n}.png`)),
    );
    const uploads = await (await call("/images?limit=100", { headers: bearer(token) })).json<{
      images: { _id: string }[];
    }>();
    for (const body of [{ folderId: "root" }, { ids: uploads.images.map(({ _id }) => _id) }]) {
      const { url } = await share(token, body);
      const first = await (await visit(url)).text();
      const next = addressesOf(first, "href").find((address) => address.includes("?after="));
      const second = await (await visit(next ?? "")).text();
      expect([namesOf(first).length, namesOf(second).length]).toEqual([SHARED_FILES_A_PAGE, 5]);
      expect(new Set([...namesOf(first), ...namesOf(second)]).size).toBe(count);
      expect(addressesOf(second, "href").some((address) => address.includes("?after="))).toBe(false);
      expect(await statusOf(`${url}?after=made-up`)).toBe(400);
      const other = await share(token, { folderId: "root" });
      expect(await statusOf(other.url + new URL(next ?? "").search)).toBe(400);
    }
  });

  it("The page's tiles do not count as views, and its downloads are offered only if the owner allows them", async () => {
    const { token } = await openAccount();
    await uploadOne(token, { name: "a.jpg", bytes: photoWithComment() });
    const made = await share(token, { folderId: "root" });
    const text = await (await visit(made.url)).text();
    const [, tile = ""] = addressesOf(text, "src");
    expect(new URL(tile).pathname).toMatch(/^\/previews\//);
    expect((await call(new URL(tile).pathname + new URL(tile).search)).headers.get("Content-Type")).toBe("image/webp");
    expect(text).toContain("download");
    await callJson("PATCH", `/shares/${made._id}`, token, { allowDownload: false });
    const without = await (await visit(made.url)).text();
    expect(without).not.toMatch(/download=|\?download/);
    expect(without).toContain('data-zip=""');
  });

  it("Each opening of the page is a view, and nothing else is, also after the object's memory is lost", async () => {
    const { id, token } = await openAccount();
    const viewsOf = async ({ _id }: Share) =>
      (await (await call(`/shares/${_id}`, { headers: bearer(token) })).json<Share>()).views;
    const [plain, locked] = [
      await share(token, { folderId: "root" }),
      await share(token, { folderId: "root", password: "open sesame" }),
    ];
    for (let n = 0; n < 3; n++) await statusOf(plain.url);
    await statusOf(plain.url, { method: "HEAD" });
    await statusOf(`${plain.url}/oembed`);
    await statusOf(`${plain.url}?after=made-up`);
    await statusOf(plain.url, { headers: { "Sec-Fetch-Dest": "empty" } });
    expect(await viewsOf(plain)).toBe(3);
    await statusOf(locked.url);
    const [Cookie = ""] = ((await giveCode(locked.url, "open sesame")).headers.get("Set-Cookie") ?? "").split(";");
    expect(await viewsOf(locked)).toBe(0);
    await statusOf(locked.url, { headers: { Cookie } });
    expect(await viewsOf(locked)).toBe(1);
    await evictDurableObject(meterOf(id));
    await statusOf(locked.url, { headers: { Cookie } });
    expect(await viewsOf(locked)).toBe(2);
    expect(await viewsOf(plain)).toBeGreaterThanOrEqual(1);
  });

  it("A private file opens by the page's URL, which ends with the share and within an hour", async () => {
    const { token } = await openAccount();
    const { url: plain } = await uploadOne(token, picture("a.png"), { visibility: "private" });
    expect(await open(plain)).toBe("signature_required");
    const soon = Math.floor(Date.now() / 1000) + 300;
    const made = await share(token, { folderId: "root", expiresAt: new Date(soon * 1000).toISOString() });
    const urlOf = async () =>
      addressesOf(await (await visit(made.url)).text(), "href").find((address) => address.includes("exp=")) ?? "";
    const short = await urlOf();
    expect(await open(short)).toBe(200);
    expect(new URL(short).searchParams.get("exp")).toBe(String(soon));
    await callJson("PATCH", `/shares/${made._id}`, token, { expiresAt: null });
    const seconds = Number(new URL(await urlOf()).searchParams.get("exp")) - Date.now() / 1000;
    expect(seconds).toBeGreaterThan(1700);
    expect(seconds).toBeLessThanOrEqual(3600);
  });

  it("Chats get a title and a picture, unless a password protects the share", async () => {
    const { token } = await openAccount();
    await uploadOne(token, picture("a.png"));
    const made = await share(token, { folderId: "root", title: "Our summer", indexed: true });
    const page = await visit(made.url);
    expect(page.headers.get("X-Robots-Tag")).toBeNull();
    const text = await page.text();
    expect(text).toContain('property="og:title" content="Our summer"');
    expect(text).toMatch(/property="og:image" content="https:\/\/media\.example\/previews\//);
    expect(await (await visit(`${made.url}/oembed`)).json()).toMatchObject({
      version: "1.0",
      type: "link",
      title: "Our summer",
      thumbnail_url: expect.stringContaining("/previews/"),
    });
    expect((await visit(`${made.url}/oembed?format=json&maxwidth=400`)).status).toBe(200);
    const otherFormat = await visit(`${made.url}/oembed?format=xml`);
    expect([otherFormat.status, await otherFormat.json()]).toMatchObject([
      400,
      { code: "invalid_query", details: { format: "Must be json" } },
    ]);
    await callJson("PATCH", `/shares/${made._id}`, token, { password: "open sesame" });
    const locked = await (await visit(made.url)).text();
    expect(locked).not.toMatch(/Our summer|a\.png|og:/);
    expect(await statusOf(`${made.url}/oembed`)).toBe(404);
  });
});

describe("A share with a password", () => {
  it("The right password opens it for a day, until the password changes", async () => {
    const { token } = await openAccount();
    await uploadOne(token, picture("a.png"));
    const made = await share(token, { folderId: "root", password: "open sesame" });
    expect(await statusOf(made.url)).toBe(403);
    expect((await giveCode(made.url, "open")).status).toBe(403);
    const answer = await giveCode(made.url, "open sesame");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, new URL(made.url).pathname]);
    const cookie = answer.headers.get("Set-Cookie") ?? "";
    for (const part of ["HttpOnly", "Secure", "SameSite=Lax", "Max-Age=86400", `Path=${new URL(made.url).pathname}`])
      expect(cookie).toContain(part);
    const [pass = ""] = cookie.split(";");
    const headers = { Cookie: pass };
    expect(namesOf(await (await visit(made.url, { headers })).text())).toEqual(["a.png"]);
    const other = await share(token, { folderId: "root", password: "open sesame" });
    expect(await statusOf(other.url, { headers })).toBe(403);
    expect(await statusOf(made.url, { headers: { Cookie: `${pass.slice(0, -2)}AA` } })).toBe(403);
    await callJson("PATCH", `/shares/${made._id}`, token, { password: "another" });
    expect(await statusOf(made.url, { headers })).toBe(403);
    await callJson("PATCH", `/shares/${made._id}`, token, { password: null });
    expect(await statusOf(made.url)).toBe(200);
  });

  it("Wrong passwords are limited, and one who gave the right one before is not held up", async () => {
    const { token } = await openAccount();
    const made = await share(token, { folderId: "root", password: "open sesame" });
    const friend = { "cf-connecting-ip": newAddress() };
    expect((await giveCode(made.url, "open sesame", friend)).status).toBe(303);
    const startedAt = Date.now();
    const statuses: number[] = [];
    while (statuses.length < 20 && !statuses.includes(429)) {
      const stranger = { "cf-connecting-ip": newAddress() };
      statuses.push((await giveCode(made.url, `wrong ${statuses.length}`, stranger)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const { atOnce, everySeconds } = FAILURES_OF_STRANGERS;
    const refused = statuses.filter((status) => status === 403).length;
    expect(refused).toBeGreaterThanOrEqual(atOnce);
    expect(refused).toBeLessThanOrEqual(atOnce + Math.ceil((Date.now() - startedAt) / (everySeconds * 1000)));
    expect((await giveCode(made.url, "open sesame", friend)).status).toBe(303);
  });

  it("Visitors use up the minute of shares, not the one of the owner", async () => {
    const { token } = await openAccount();
    const { url } = await share(token, { folderId: "root" });
    await waitForQuietMinute();
    const visits = Array.from({ length: SHARE_VISITS_PER_MINUTE.free + 5 }, () => statusOf(url));
    const statuses = await Promise.all(visits);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SHARE_VISITS_PER_MINUTE.free);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await call("/shares", { headers: bearer(token) })).status).toBe(200);
  });

  it("A body that is no form, or too large, is refused", async () => {
    const { token } = await openAccount();
    const made = await share(token, { folderId: "root", password: "open sesame" });
    expect((await giveCode(made.url, "x".repeat(5000))).status).toBe(413);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    for (const body of ["", "password=%FF%00", "password[]=a", "a=b"])
      expect(await statusOf(made.url, { method: "POST", headers, body })).toBe(403);
    const broken = { "Content-Type": "multipart/form-data; boundary=x" };
    expect(await statusOf(made.url, { method: "POST", headers: broken, body: "no form" })).toBeLessThan(500);
    expect(await statusOf(made.url, { method: "PUT" })).toBe(405);
  });
});
