import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createAdmin } from "../../../src/client/admin.ts";
import { createEvents } from "../../../src/client/events.ts";
import { createClient, type ImageQuery, MediaHostError } from "../../../src/client/index.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { expectConsistent, uploadRowIds } from "../../support/api/account-state.ts";
import { BASE_URL, call, openAccount, openProAccount } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";

// The client inside a Worker, against the service itself.

type Fetch = typeof fetch;

const product: Fetch = (input, init) => exports.default.fetch(new Request(input as string, init));
const clientOf = (key?: string, fetch: Fetch = product) => createClient({ baseUrl: `${BASE_URL}/`, key, fetch });
const photo = (name: string) => new File([png()], name);

/** The operator's machines call these endpoints without a client; an `<img>` has their whole URL; only a broken upload asks for its offset. */
const NOT_CALLED = ["GET /health/live", "GET /health/ready", "GET /previews/{}/{}", "HEAD /images/upload/{}"];

/** Only pages call these: they need a person with a mail, an app or a passkey. */
const OF_PAGES = [
  ...["GET /account/totp", "POST /account/totp", "DELETE /account/totp", "POST /account/totp/confirm"],
  ...["POST /account/totp/recovery-codes", "POST /account/email", "POST /auth/email/confirm"],
  ...["POST /auth/passkey", "POST /auth/passkey/options", "POST /auth/password/forgot", "POST /auth/password/reset"],
  ...["POST /auth/reauthenticate", "POST /auth/verify", "POST /auth/verify/resend", "GET /sessions"],
  ...["DELETE /sessions/{}", "GET /passkeys", "POST /passkeys", "POST /passkeys/options", "DELETE /passkeys/{}"],
  "POST /reports",
];
/** Saved searches are addresses of the dashboard. */
const OF_DASHBOARD = ["GET /searches", "POST /searches", "PATCH /searches/{}", "DELETE /searches/{}"];
/** A person sets these once for all programs, by curl as in docs/using/variants.md. */
const SET_ONCE = [
  ...["GET /settings/presets", "GET /settings/presets/{}", "PUT /settings/presets/{}", "DELETE /settings/presets/{}"],
  ...["GET /signing-keys", "POST /signing-keys", "DELETE /signing-keys/{}"],
];
/** The client's core is as large as it may be, so these are plain requests: docs/using/imports.md. */
const PLAIN = [...["POST /images/import", "GET /imports", "GET /imports/{}", "DELETE /imports/{}"]];
/** Only the operator's commands call these: `npm run admin`. */
const OF_COMMANDS = [
  ...["POST /admin/takedowns", "GET /admin/takedowns", "DELETE /admin/takedowns/{}", "GET /admin/audit"],
  "POST /admin/placeholders",
  ...["GET /admin/reports", "POST /admin/reports/{}", "POST /admin/accounts/{}/suspend"],
  ...["POST /admin/accounts/{}/unsuspend", "POST /admin/accounts/{}/end-sessions", "POST /admin/accounts/{}/erase"],
  ...["POST /admin/accounts/{}/set-email", "POST /admin/accounts/{}/send-reset"],
  ...["GET /admin/backup", "GET /admin/backup/rows", "GET /admin/backup/accounts/{}", "GET /admin/backup/files"],
  ...["GET /admin/backup/file", "POST /admin/restore", "DELETE /admin/restore", "POST /admin/restore/rows"],
  ...["POST /admin/restore/accounts/{}", "PUT /admin/restore/file", "POST /admin/restore/parts"],
  ...["PUT /admin/restore/parts", "POST /admin/restore/parts/end"],
];

describe("Client", () => {
  it("The client has a method for each described endpoint except endpoints of pages, settings and commands", async () => {
    const asked = new Set<string>();
    const answer = {
      pagination: {},
      images: [],
      logs: [],
      folders: [],
      uploads: [],
      keys: [],
      alerts: [],
      tags: [],
      url: "u",
    };
    const host = clientOf("key", async (input, init) => {
      const path = new URL(String(input)).pathname.replace(/\/(an%20id|01|a%40b\.c)(?=\/|$)/g, "/{}");
      asked.add(`${init?.method} ${path}`);
      const headers = { Location: "/images/upload/an%20id" };
      return Response.json(path === "/admin/invitations" ? { ...answer, invitations: [] } : answer, { headers });
    });
    const [id, email] = ["an id", "a@b.c"];
    const [admin, events] = [createAdmin(host), createEvents(host)];
    const first = async <Item>(list: AsyncIterable<Item>) => list[Symbol.asyncIterator]().next();
    await Promise.all([
      host.upload(photo("a.png")),
      host.image(id),
      host.history(id),
      host.update(id, {}),
      host.signedUrls(id),
      host.removeLocation(id),
      host.updateAll({ ids: [] }),
      host.trash([]),
      host.restore([]),
      host.delete(id),
      host.deleteAll([]),
      host.previewCompression(id),
      host.imagePage(),
      first(host.images().pages()),
      host.timeline(),
      host.duplicatePage(),
      host.tags(),
      host.folders.list(),
      host.folders.newest(["01"]),
      host.folders.create({ name: "" }),
      host.folders.update(id, {}),
      host.folders.delete(id),
      host.stats(),
      host.operationDays(),
      first(host.logs().pages()),
      host.alerts(),
      host.health(),
      host.tools.list(),
      host.tools.get(id),
      host.settings.get(),
      host.settings.update({}),
      host.webhook.get(),
      host.webhook.set(""),
      host.webhook.delete(),
      host.webhook.test(),
      host.keys.list(),
      host.keys.create({ name: "" }),
      host.keys.regenerateUploadKey(),
      host.keys.analytics(id),
      host.keys.delete(id),
      host.uploadTokens.list(),
      host.uploadTokens.create({}),
      host.uploadTokens.revoke(id),
      host.shares.list(),
      host.shares.get(id),
      host.shares.create({ folderId: "root" }),
      host.shares.update(id, {}),
      host.shares.delete(id),
      host.account.get(),
      host.account.update({}),
      host.account.delete({ password: "" }),
      host.auth.registration(),
      host.auth.register({ email, password: "" }),
      host.auth.logIn({ email, password: "" }),
      host.auth.logOut(),
      admin.account(email),
      first(admin.accounts("person").pages()),
      first(admin.operators().pages()),
      admin.markOperator(email, { reason: "a test" }),
      admin.unmarkOperator(email, "a test"),
      admin.overview(),
      admin.report(id),
      admin.setTier(email, "pro"),
      admin.moveAccount(email, "01"),
      admin.shards(),
      admin.updateShard("01", true),
      first(admin.invitations().pages()),
      admin.invite(email),
      admin.uninvite(email),
      first(admin.intents().pages()),
      admin.accountIntents(email),
      admin.metrics(),
      admin.retryIntent({ accountId: "", id }),
      first(admin.deadLetters().pages()),
      admin.updateSchema(),
      admin.retryDeadLetters({ ids: [] }),
      admin.dropDeadLetters({ ids: [] }),
      admin.retryThumbnails(),
      host.account.erasure(id),
      first(host.account.export()),
      admin.erasure(id),
      admin.reconciliation(),
      admin.startReconciliation(),
      admin.reconcileAccount(email),
      host.unfinished.list(),
      host.unfinished.get(id),
      host.unfinished.delete(id),
      host.upload(photo("a.png"), { resumableFromBytes: 1 }),
      first(admin.failedThumbnails().pages()),
      host.replace(id, photo("a.png")),
      events.page(),
      first(events.all().pages()),
      first(events.webhooks.all().pages()),
      events.webhooks.get(id),
      events.webhooks.set(id, { url: "", events: [] }),
      events.webhooks.delete(id),
      events.webhooks.test(id),
      first(events.webhooks.deliveries(id).pages()),
      events.webhooks.redeliver(id, id),
    ]);
    const { paths } = await (await call("/openapi.json")).json<{ paths: Record<string, object> }>();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`),
    );
    const others = [...NOT_CALLED, ...OF_PAGES, ...OF_DASHBOARD, ...SET_ONCE, ...PLAIN, ...OF_COMMANDS];
    expect([...asked, ...others].sort()).toEqual(described.sort());
  });

  it("The client uploads, lists page by page, changes, trashes and deletes", async () => {
    const account = await openProAccount();
    const host = clientOf(account.apiKey);
    const folder = await host.folders.create({ name: "Holidays" });
    const files = Array.from({ length: 5 }, (_, at) => photo(`${at}.png`));
    const told: number[] = [];
    const outcomes = await host.uploadAll(files, {
      folderId: folder._id,
      tags: ["beach", "sun"],
      onProgress: (_, { sentBytes, totalBytes }) => told.push(sentBytes / totalBytes),
    });
    const ids = outcomes.map((outcome) => ("url" in outcome ? outcome._id : ""));
    expect(outcomes.map((outcome) => "url" in outcome && outcome.originalFilename)).toEqual(
      files.map(({ name }) => name),
    );
    expect(told.filter((share) => share === 1)).toHaveLength(5);
    const query: ImageQuery = { folderId: folder._id, tags: ["beach", "sun"], favorite: false, limit: 2 };
    const listed: string[] = [];
    for await (const { _id, tags } of host.images(query)) {
      expect(tags.sort()).toEqual(["beach", "sun"]);
      listed.push(_id);
    }
    expect(listed.sort()).toEqual([...ids].sort());
    const sizes: number[] = [];
    for await (const { images, pagination } of host.images(query).pages()) {
      sizes.push(images.length);
      expect(pagination.total).toBe(5);
    }
    expect(sizes).toEqual([2, 2, 1]);
    const [id = "", other = ""] = ids;
    expect(await host.update(id, { favorite: true })).toMatchObject({ _id: id, favorite: true });
    expect(await host.trash([id, other])).toEqual({ updated: 2 });
    expect(await host.restore([other])).toEqual({ updated: 1 });
    await host.delete(id);
    expect(await host.delete(other)).toEqual({ message: "Image deleted successfully" });
    expect((await host.stats()).files).toMatchObject({ total: 3 });
    expect(await host.folders.list()).toMatchObject([{ name: "Holidays", itemCount: 3 }]);
    await expectConsistent(account.id);
  });

  it("A client with an upload token uploads, whole and in pieces, within the token's limits", async () => {
    const account = await openAccount();
    const owner = clientOf(account.uploadKey);
    const { token, _id } = await owner.uploadTokens.create({ maxFiles: 2, types: ["image/*"] });
    const host = createClient({ baseUrl: BASE_URL, token, fetch: product, retries: 0 });
    await host.upload(photo("a.png"));
    await host.upload(photo("b.png"), { resumableFromBytes: 1 });
    await expect(host.upload(photo("c.png"))).rejects.toMatchObject({ code: "upload_token_used_up", statusCode: 403 });
    expect((await owner.uploadTokens.list({ limit: 1 })).uploadTokens).toMatchObject([{ _id, usedFiles: 2 }]);
    await owner.uploadTokens.revoke(_id);
    await expect(host.upload(photo("d.png"))).rejects.toMatchObject({ code: "invalid_key" });
  });

  it("The client uploads a photo once per key, and another photo under the key is refused", async () => {
    const account = await openProAccount();
    let isLost = true;
    const host = clientOf(account.apiKey, async (...request) => {
      const answer = await product(...request);
      if (!isLost) return answer;
      isLost = false;
      await answer.body?.cancel();
      throw new TypeError("the answer is lost");
    });
    const options = { idempotencyKey: "01arz3ndektsv4rrffq69g5fav" };
    const { _id } = await host.upload(photo("a.png"), options);
    expect(isLost).toBe(false);
    expect(await host.upload(photo("a.png"), options)).toMatchObject({ _id });
    const other = host.upload(new File([png(2, 3)], "a.png"), options);
    await expect(other).rejects.toMatchObject({ statusCode: 422, retryable: false });
    expect(await uploadRowIds(account.id)).toEqual([_id]);
    await expectConsistent(account.id);
  });

  it("The client uploads several files in one request, once, and reports each in order", async () => {
    const account = await openProAccount();
    let requests = 0;
    const host = clientOf(account.apiKey, async (...request) => {
      const answer = await product(...request);
      requests += 1;
      if (requests > 1) return answer;
      await answer.body?.cancel();
      throw new TypeError("the answer is lost");
    });
    const pdf = (name: string) => new File(["%PDF-1.7 and nothing else"], name);
    // Two files have the same name, of which the first is no image; the service cleans another name.
    const files = [pdf("a.png"), photo("a.png"), photo("b\u202e.png"), pdf("c.png"), photo("d.png")] as const;
    const outcomes = await host.uploadTogether(files, { tags: ["sea"] });
    expect(outcomes.map((outcome) => ("url" in outcome ? outcome.originalFilename : outcome.error.statusCode))).toEqual(
      [415, "a.png", "b.png", 415, "d.png"],
    );
    expect(outcomes).toMatchObject([{ file: files[0] }, { tags: ["sea"] }, {}, { file: files[3] }, {}]);
    expect(requests).toBe(2);
    expect((await uploadRowIds(account.id)).length).toBe(3);
    expect(await host.uploadTogether([pdf("e.png"), pdf("f.png")])).toMatchObject([
      { file: { name: "e.png" }, error: { statusCode: 415 } },
      { file: { name: "f.png" }, error: { statusCode: 415 } },
    ]);
    const older = await host.upload(new File([png(5, 5)], "c.png"));
    // Each file has the name of one result and the size of another.
    const again = [new File([png(5, 5)], "k.png"), pdf("c.png"), photo("d2.png")] as const;
    const unlike = await host.uploadTogether([new File([new Uint8Array(png(5, 5).length)], "c.png"), ...again], {
      dedupe: true,
    });
    expect(unlike).toMatchObject([
      { error: { statusCode: 415 } },
      { _id: older._id, deduplicated: true },
      { error: { statusCode: 415 } },
      { deduplicated: true, originalFilename: "a.png" },
    ]);
    expect(await host.uploadTogether([photo("g.png")])).toMatchObject([{ originalFilename: "g.png" }]);
    await expect(host.uploadTogether([pdf("h.png")])).rejects.toMatchObject({ statusCode: 415 });
  });

  it("The client stores a file once even if the answer was lost", async () => {
    const account = await openAccount();
    let lost = 0;
    const host = clientOf(account.uploadKey, async (input, init) => {
      const answer = await product(input, init);
      if (lost++ > 0) return answer;
      throw new TypeError("Network connection lost.");
    });
    const { _id } = await host.upload(photo("a.png"));
    expect(lost).toBe(2);
    expect(await uploadRowIds(account.id)).toEqual([_id]);
  });

  it("The client uploads in pieces despite lost answers, and resumes from its record", async () => {
    const account = await openAccount();
    const bytes = mp4(9 * 1024 * 1024, 3);
    const remembered = new Map<string, string>();
    const storage = {
      getItem: (key: string) => remembered.get(key) ?? null,
      setItem: (key: string, value: string) => remembered.set(key, value),
      removeItem: (key: string) => remembered.delete(key),
    };
    const lost = new Set<string>();
    const host = clientOf(account.uploadKey, async (input, init) => {
      const answer = await product(input, init);
      if (init?.method === "HEAD" || lost.has(init?.method ?? "")) return answer;
      lost.add(init?.method ?? "");
      throw new TypeError("Network connection lost.");
    });
    const told: number[] = [];
    const result = await host.upload(new File([bytes], "Clip ü.mp4", { lastModified: 1 }), {
      resumableFromBytes: 1,
      storage,
      tags: ["beach"],
      onProgress: ({ sentBytes }) => told.push(sentBytes),
    });
    expect(result).toMatchObject({ originalFilename: "Clip ü.mp4", fileSize: bytes.length, tags: ["beach"] });
    expect([...lost].sort()).toEqual(["PATCH", "POST"]);
    expect(told.at(-1)).toBe(8 * 1024 * 1024);
    expect(remembered.size).toBe(0);
    expect(await uploadRowIds(account.id)).toEqual([result._id]);
    const object = await env.FILES.get(result.filename);
    expect(Buffer.compare(Buffer.from((await object?.arrayBuffer()) ?? []), bytes)).toBe(0);
  });

  it("The client uploads bytes and streams of unknown length, each piece once, despite lost answers", async () => {
    const account = await openProAccount();
    const bytes = mp4(20 * 1024 * 1024 + 5, 4);
    const lost = new Set<string>();
    const host = clientOf(account.apiKey, async (input, init) => {
      const answer = await product(input, init);
      const request = `${init?.method} ${new Headers(init?.headers).get("Upload-Offset")}`;
      if (init?.method !== "PATCH" || lost.has(request)) return answer;
      lost.add(request);
      throw new TypeError("Network connection lost.");
    });
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 700_000) yield bytes.subarray(at, at + 700_000);
    }
    const long = await host.upload(pieces(), { name: "Clip.mp4", tags: ["beach"] });
    expect(long).toMatchObject({ originalFilename: "Clip.mp4", fileSize: bytes.length, tags: ["beach"] });
    expect(lost.size).toBe(3);
    const object = await env.FILES.get(long.filename);
    expect(Buffer.compare(Buffer.from((await object?.arrayBuffer()) ?? []), bytes)).toBe(0);
    const short = await host.upload(new Blob([png()]).stream(), { name: "short.png" });
    const held = await host.upload(png(), { name: "held.png" });
    const nameless = await host.upload(new Blob([png()], { type: "image/png" }));
    expect([short, held, nameless].map(({ originalFilename }) => originalFilename)).toEqual([
      "short.png",
      "held.png",
      "untitled.png",
    ]);
    expect((await uploadRowIds(account.id)).length).toBe(4);
    await expectConsistent(account.id);
  });

  it("The client leaves nothing of a stream that breaks off", async () => {
    const account = await openProAccount();
    const host = clientOf(account.apiKey);
    async function* broken() {
      yield mp4(9 * 1024 * 1024, 5);
      throw new Error("The camera is off");
    }
    await expect(host.upload(broken(), { name: "a.mp4" })).rejects.toThrow("The camera is off");
    async function* endless() {
      for (;;) yield mp4(9 * 1024 * 1024, 6);
    }
    const controller = new AbortController();
    const onProgress = ({ sentBytes }: { readonly sentBytes: number }) => sentBytes > 0 && controller.abort();
    await expect(host.upload(endless(), { signal: controller.signal, onProgress })).rejects.toThrow();
    await expect.poll(() => host.unfinished.list()).toEqual([]);
    await expectConsistent(account.id);
  });

  it("The client throws the service's errors, and never repeats a call that would act twice", async () => {
    const account = await openAccount();
    const error = await clientOf("service_live_x")
      .image("x")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MediaHostError);
    expect(error).toMatchObject({ statusCode: 401, message: "Invalid or missing API key", retryable: false });
    const outcomes = await clientOf(account.uploadKey).uploadAll([new Blob(["no picture"]), photo("a.png")]);
    expect(outcomes).toMatchObject([
      { error: { statusCode: 415, details: { detected: expect.any(String) } } },
      { originalFilename: "a.png" },
    ]);
    let calls = 0;
    const broken = clientOf(account.token, async () => {
      calls += 1;
      throw new TypeError("lost");
    });
    await expect(broken.keys.create({ name: "a" })).rejects.toMatchObject({ statusCode: 0 });
    expect(calls).toBe(1);
  });

  it("The client replaces bytes, uploads a private file, and gets a file with the same bytes", async () => {
    const account = await openProAccount();
    const host = clientOf(account.apiKey);
    const first = await host.upload(photo("a.png"), { visibility: "private" });
    expect(first).toMatchObject({ visibility: "private" });
    expect(await host.update(first._id, { visibility: "public" })).toMatchObject({ visibility: "public" });
    expect(await host.upload(photo("b.png"), { dedupe: true })).toMatchObject({ _id: first._id, deduplicated: true });
    const told: number[] = [];
    const second = await host.replace(first._id, new File([png(3, 2, 900)], "c.png"), {
      onProgress: ({ sentBytes, totalBytes }) => told.push(sentBytes / totalBytes),
    });
    expect(second).toMatchObject({ _id: first._id, originalFilename: "c.png", fileSize: 900 });
    expect(second.url).not.toBe(first.url);
    expect(told.at(-1)).toBe(1);
    await expect(host.replace("gone", photo("a.png"))).rejects.toMatchObject({ statusCode: 404 });
    await expectConsistent(account.id);
  });

  it("The module of events reads events and sets webhooks", async () => {
    const account = await openProAccount();
    const host = clientOf(account.token);
    const events = createEvents(host);
    const { resumeCursor } = await events.page({ from: "now" });
    const { _id } = await host.upload(photo("a.png"));
    const page = await events.page({ cursor: resumeCursor });
    expect(page.events).toMatchObject([{ type: "upload.completed", data: { _id } }]);
    expect((await events.page({ cursor: page.resumeCursor })).events).toEqual([]);
    const types: string[] = [];
    for await (const { type } of events.all({ limit: 1 })) types.push(type);
    expect(types).toEqual(["upload.completed"]);
    new Internet();
    const url = "https://hooks.example.com/media";
    const made = await events.webhooks.set("shop", { url, events: ["image.deleted"] });
    expect(made).toMatchObject({ name: "shop", url, secret: expect.stringMatching(/^whsec_/) });
    const names: string[] = [];
    for await (const { name } of events.webhooks.all()) names.push(name);
    expect(names).toEqual(["shop"]);
    expect(await events.webhooks.get("shop")).toMatchObject({ url, disabledAt: null });
    for await (const _ of events.webhooks.deliveries("shop")) throw new Error("nothing was sent");
    await events.webhooks.delete("shop");
    await expect(events.webhooks.get("shop")).rejects.toBeInstanceOf(MediaHostError);
    vi.restoreAllMocks();
  });

  it("The client treats a deletion whose answer was lost as done, and retries a temporary refusal", async () => {
    const account = await openProAccount();
    const { _id } = await clientOf(account.apiKey).upload(photo("a.png"));
    let calls = 0;
    const host = clientOf(account.apiKey, async (input, init) => {
      const answer = await product(input, init);
      return ++calls === 1 ? new Response("<html>", { status: 502 }) : answer;
    });
    expect(await host.delete(_id)).toBeUndefined();
    expect(calls).toBe(2);
    await expect(host.delete(_id)).rejects.toMatchObject({ statusCode: 404 });
    const limited = clientOf(env.ADMIN_TOKEN, async (input, init) =>
      ++calls === 4 ? new Response(null, { status: 429, headers: { "Retry-After": "1" } }) : product(input, init),
    );
    expect((await createAdmin(limited).account(account.email)).tier).toBe("pro");
    expect(calls).toBe(5);
  });
});
