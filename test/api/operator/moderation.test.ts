import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { objectUrl, thumbnailKey } from "../../../src/domain/object-key.ts";
import { forgetBlockList } from "../../../src/services/uploads/known-bytes.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { replaceStores, replayTwice } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, call, callJson, openAccount } from "../../support/api/api.ts";
import { failingStore } from "../../support/api/databases.ts";
import { callWith } from "../../support/api/registration.ts";
import { photoWithComment } from "../../support/codecs/photo.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { HOOK, HOOK_SECRET, HookedHost, MODERATION, NO_HOOK } from "../../support/moderation/hooked-host.ts";
import { asOperator } from "../../support/operator/as-operator.ts";
import { captureOutput } from "../../support/operator/capture-output.ts";
import { made } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored, toVideo } from "../../support/thumbnails/queue.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

interface Question {
  readonly type: string;
  readonly data: {
    readonly uploadId: string;
    readonly accountId: string;
    readonly url: string;
    readonly thumbnailUrl: string | null;
    readonly readUrl: string;
    readonly uploadedSha256: string | null;
  };
}

interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly reason: string;
  readonly status: number | null;
}

let internet: Internet;
let host: HookedHost;
let logged: string[];

beforeEach(() => {
  internet = new Internet();
  internet.answer = () => Response.json({ action: "allow" });
  host = new HookedHost();
  forgetBlockList();
  logged = captureOutput();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Bytes that no other test uploads: a takedown blocks its bytes for all accounts. */
let size = 90_000;
function newPng(): Uint8Array<ArrayBuffer> {
  size += 1;
  return png(3, 2, size);
}

const verdict = (answer: unknown) => {
  internet.answer = () => Response.json(answer);
};

async function reportsOf(accountId: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const answer: Response = await asOperator("GET", `reports?status=all&after=${after}`);
    const page = await answer.json<{ reports: Record<string, unknown>[]; next: string | null }>();
    all.push(...page.reports);
    after = page.next;
  }
  return all.filter((report) => report.accountId === accountId);
}

async function auditOf(email: string): Promise<AuditEntry[]> {
  const answer = await asOperator("GET", `audit?email=${encodeURIComponent(email)}`);
  return (await answer.json<{ entries: AuditEntry[] }>()).entries;
}

async function statusOf(url: string): Promise<number> {
  const response = await call(new URL(url).pathname);
  await response.body?.cancel();
  return response.status;
}

function lastQuestion(): Question {
  return internet.verifyLast(HOOK_SECRET) as Question;
}

describe("The question", () => {
  it("The moderation hook gets each stored image, signed, with its facts and a URL whose reads are not counted", async () => {
    const { id: accountId, token } = await host.open();
    const bytes = newPng();
    const { _id, url, filename } = await host.uploadOne(token, { name: "a b.png", bytes });
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    expect(internet.received).toEqual([]);
    expect(host.queued).toEqual([{ type: "moderation.requested", accountId, uploadId: _id }]);
    expect(await host.deliver()).toEqual(["acked"]);
    expect(internet.received.map((one) => one.url)).toEqual([HOOK]);
    expect(internet.received[0]?.headers.get("Webhook-Id")).toBe(`msg_${_id}`);
    const question = lastQuestion();
    expect(question).toEqual({
      type: "upload.moderation",
      timestamp: expect.any(String),
      data: {
        uploadId: _id,
        accountId,
        mimeType: "image/png",
        fileSize: bytes.length,
        size: { width: 3, height: 2 },
        url: objectUrl(BASE_URL, filename),
        thumbnailUrl: null,
        readUrl: expect.stringMatching(/\?preview=\d+\.[\w-]{43}$/),
        sha256: Buffer.from(digest).toString("hex"),
        uploadedSha256: null,
      },
    });
    expect(question.data.url).toBe(url);
    await callJson("PATCH", "/settings", token, {
      hotlink: { allowedHosts: ["pages.example"], allowEmptyReferer: false },
    });
    const { pathname, search } = new URL(question.data.readUrl);
    const read = await call(pathname + search);
    expect([read.status, new Uint8Array(await read.arrayBuffer())]).toEqual([200, bytes]);
    expect(await reportsOf(accountId)).toEqual([]);
  });

  it("The request about a compressed image has the SHA-256 of the bytes as they were uploaded", async () => {
    const { token } = await host.open();
    await callJson("PATCH", "/settings", token, { autoCompress: true, compressionQuality: 50 });
    const bytes = new Uint8Array([...photoWithComment(), ...crypto.getRandomValues(new Uint8Array(16))]);
    const { compressed } = await host.uploadOne(token, { name: "a.jpg", bytes });
    expect(compressed).toBe(true);
    await host.deliver();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(lastQuestion().data.uploadedSha256).toBe(Buffer.from(digest).toString("hex"));
  });

  it("The moderation hook gets a video when it has a thumbnail, and reads the thumbnail", async () => {
    const account = await host.open();
    const video = toVideo(account, await host.uploadOne(account.token, { name: "a.mp4", bytes: mp4(2000) }));
    expect(host.queued).toEqual([]);
    const world = { processor: () => made(), replaced: host.vars as Partial<Env> };
    expect(await deliverOne(stored(video), world)).toBe("acked");
    expect(host.queued).toMatchObject([{ uploadId: video.uploadId }]);
    await host.deliver();
    const { readUrl, thumbnailUrl, url } = lastQuestion().data;
    expect(url).toBe(objectUrl(BASE_URL, video.objectKey));
    expect(thumbnailUrl).toBe(objectUrl(BASE_URL, thumbnailKey(account.id, video.uploadId)));
    expect(readUrl.startsWith(`${thumbnailUrl}?`)).toBe(true);
    const { pathname, search } = new URL(readUrl);
    const read = await call(pathname + search);
    expect([read.status, read.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
    await read.body?.cancel();
  });

  it("A video whose moderation request could not be sent has it sent by its own message, which is delivered again", async () => {
    const account = await host.open();
    const video = toVideo(account, await host.uploadOne(account.token, { name: "a.mp4", bytes: mp4(2000) }));
    const broken = { ...host.vars, MODERATION: failingStore<Queue>() } as Partial<Env>;
    expect(await deliverOne(stored(video), { processor: () => made(), replaced: broken })).toBe("retried");
    expect(await deliverOne(stored(video), { processor: () => made(), replaced: host.vars as Partial<Env> })).toBe(
      "acked",
    );
    expect(host.queued).toMatchObject([{ uploadId: video.uploadId }]);
  });

  it("The hook gets a video whose thumbnail was stored before the next try found the storage full", async () => {
    const account = await host.open();
    const video = toVideo(account, await host.uploadOne(account.token, { name: "a.mp4", bytes: mp4(2000) }));
    const meter = env.ACCOUNT_METER.getByName(account.id);
    const deliver = (calls: object) => {
      const ACCOUNT_METER = { getByName: () => ({ locate: () => meter.locate(), ...calls }) };
      const replaced = { ...host.vars, ACCOUNT_METER } as unknown as Partial<Env>;
      return deliverOne(stored(video), { processor: () => made(), replaced });
    };
    const reserveThumbnail = (...args: Parameters<typeof meter.reserveThumbnail>) => meter.reserveThumbnail(...args);
    const settleThumbnail = () => Promise.reject(new Error("The object is away"));
    expect(await deliver({ reserveThumbnail, settleThumbnail })).toBe("retried");
    const failThumbnail = (...args: Parameters<typeof meter.failThumbnail>) => meter.failThumbnail(...args);
    expect(await deliver({ reserveThumbnail: async () => "storage-full", failThumbnail })).toBe("acked");
    expect(host.queued).toMatchObject([{ uploadId: video.uploadId }]);
  });

  it("An interrupted image with a row has its moderation request sent, because the crash may have prevented it", async () => {
    const account = await host.open();
    const upload = new InterruptedUpload(account.id, "image", 1000);
    await upload.reserve();
    await upload.put();
    await upload.insertRow();
    const question = { type: "moderation.requested", accountId: account.id, uploadId: upload.uploadId };
    // A question that is delivered before the upload is settled waits.
    expect((await host.deliverOne(question)).outcome).toBe("retried");
    expect(internet.received).toEqual([]);
    await replayTwice(account.id);
    expect(host.queued).toEqual([question]);
    expect(await host.deliver()).toEqual(["acked"]);
    expect(internet.received).toHaveLength(1);
  });

  it("An upload that was undone is not sent to the moderation hook", async () => {
    const account = await host.open();
    const upload = new InterruptedUpload(account.id, "image", 1000);
    await upload.reserve();
    await upload.put();
    await replayTwice(account.id);
    expect(host.queued).toEqual([]);
    const question = { type: "moderation.requested", accountId: account.id, uploadId: upload.uploadId };
    expect((await host.deliverOne(question)).outcome).toBe("acked");
    expect(internet.received).toEqual([]);
  });

  it("Several images of a request are sent to the moderation hook, and its refused file is not", async () => {
    const { token } = await host.open();
    const files = [
      { name: "a.png", bytes: newPng() },
      { name: "b.txt", bytes: new Uint8Array(new TextEncoder().encode("text")) },
      { name: "c.png", bytes: newPng() },
    ];
    expect((await host.upload(token, files)).ok).toBe(true);
    expect(await host.deliver()).toEqual(["acked", "acked"]);
  });

  it("An installation without a moderation hook sends nothing, also if its queue fails", async () => {
    const account = await openAccount();
    await replaceStores(account.id, NO_HOOK as unknown as Partial<Env>);
    const upload = new InterruptedUpload(account.id, "image", 1000);
    await upload.reserve();
    await upload.put();
    await upload.insertRow();
    await replayTwice(account.id);
    const form = new FormData();
    form.append("file", new File([newPng()], "a.png"));
    const init = { method: "POST", headers: bearer(account.token), body: form };
    const response = await callWith(NO_HOOK as unknown as Record<string, string>, "/images/upload", init);
    expect(response.status).toBe(201);
    const { _id } = await response.json<{ _id: string }>();
    // A question that was sent before the hook was switched off is dropped.
    const off = new HookedHost({ MODERATION_URL: "" });
    const question = { type: "moderation.requested", accountId: account.id, uploadId: _id };
    expect((await off.deliverOne(question)).outcome).toBe("acked");
    expect(internet.received).toEqual([]);
  });
});

describe("The verdict", () => {
  it("`flag` puts one entry into the operator's reports, also if it is answered twice, and a decision stays", async () => {
    const { id: accountId, token } = await host.open();
    const { _id, url } = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    verdict({ action: "flag", reason: "Nudity\n 0.93", score: 0.93 });
    const [question] = host.queued;
    await host.deliver();
    const report = { id: _id, source: "moderation", url, accountId, uploadId: _id, email: null, decision: null };
    expect(await reportsOf(accountId)).toMatchObject([{ ...report, reason: "Nudity 0.93" }]);
    const open = await asOperator("POST", `reports/${_id}`, { decision: "dismissed", reason: "A statue" });
    expect(open.status).toBe(200);
    expect((await host.deliverOne(question)).outcome).toBe("acked");
    expect(internet.received).toHaveLength(1);
    expect(await reportsOf(accountId)).toMatchObject([{ id: _id, decision: "dismissed" }]);
    expect(await statusOf(url)).toBe(200);
  });

  it("`takedown` takes the file down as the operator would, and the audit log names the hook", async () => {
    const { email, token } = await host.open();
    const { _id, url } = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    verdict({ action: "takedown", reason: "Known hash" });
    const [question] = host.queued;
    expect(await host.deliver()).toEqual(["acked"]);
    expect(await statusOf(url)).toBe(451);
    const shown = await (await call(`/images/${_id}`, { headers: bearer(token) })).json();
    expect(shown).toMatchObject({ takedown: { reason: "Known hash" } });
    const entry = { actor: "moderation hook", action: "takeDown", reason: "Known hash", status: 200 };
    expect(await auditOf(email)).toMatchObject([entry]);
    expect((await host.deliverOne(question)).outcome).toBe("acked");
    expect(await auditOf(email)).toHaveLength(1);
  });

  it("A file that the operator has restored is not taken down again by a repeated question", async () => {
    const { email, token } = await host.open();
    const { url } = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    verdict({ action: "takedown" });
    const [question] = host.queued;
    await host.deliver();
    const [entry] = await auditOf(email);
    expect(entry?.reason).toBe("The moderation hook gave no reason");
    const { takedowns } = await (await asOperator("GET", "takedowns")).json<{
      takedowns: { id: string; url: string; actor: string | null }[];
    }>();
    const found = takedowns.find((takedown) => new URL(takedown.url).pathname === new URL(url).pathname);
    expect(found?.actor).toBe("moderation hook");
    const id = found?.id;
    expect((await asOperator("DELETE", `takedowns/${id}`)).status).toBe(200);
    expect((await host.deliverOne(question)).outcome).toBe("acked");
    expect(internet.received).toHaveLength(1);
    expect(await statusOf(url)).toBe(200);
  });

  it.each(["flag", "takedown"])(
    "A file that was deleted while the moderation hook worked is neither reported nor a failure (%s)",
    async (action) => {
      const { id: accountId, token } = await host.open();
      const { _id } = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
      internet.answer = async () => {
        const deleted = await call(`/images/${_id}`, { method: "DELETE", headers: bearer(token) });
        await deleted.body?.cancel();
        return Response.json({ action });
      };
      expect(await host.deliver()).toEqual(["acked"]);
      expect(await reportsOf(accountId)).toEqual([]);
    },
  );

  it("A file that was deleted or taken down before is not sent to the moderation hook", async () => {
    const { token } = await host.open();
    const deleted = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    const takenDown = await host.uploadOne(token, { name: "b.png", bytes: newPng() });
    await (await call(`/images/${deleted._id}`, { method: "DELETE", headers: bearer(token) })).body?.cancel();
    await asOperator("POST", "takedowns", { url: takenDown.url, reason: "Copyright" });
    expect(await host.deliver()).toEqual(["acked", "acked"]);
    expect(internet.received).toEqual([]);
  });

  it("A moderation takedown whose store fails is retried, and done once", async () => {
    const { email, token } = await host.open();
    const { url } = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    verdict({ action: "takedown", reason: "Known hash" });
    const [question] = host.queued.splice(0);
    const getByName = (name: string) => {
      const meter = env.ACCOUNT_METER.getByName(name);
      const takeDown = () => Promise.reject(new Error("Network connection lost."));
      return { locate: () => meter.locate(), uploadStanding: (id: string) => meter.uploadStanding(id), takeDown };
    };
    const lost = new HookedHost({ ACCOUNT_METER: { getByName } });
    expect((await lost.deliverOne(question)).outcome).toBe("retried");
    expect(await statusOf(url)).toBe(200);
    expect((await host.deliverOne(question)).outcome).toBe("acked");
    expect(await statusOf(url)).toBe(451);
    expect((await auditOf(email)).map(({ status }) => status)).toEqual([200, null]);
  });
});

describe("A hook that fails", () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new TextEncoder().encode(" ".repeat(1000))) }));

  it.each([
    ["redirects", () => Response.redirect("http://169.254.169.254/latest", 307)],
    ["answers 500", () => new Response("busy", { status: 500 })],
    ["answers 410", () => new Response(null, { status: 410 })],
    ["answers nothing", () => new Response(null, { status: 204 })],
    ["answers no JSON", () => new Response("<html>allow</html>")],
    ["answers another shape", () => Response.json(["takedown"])],
    ["answers an unknown action", () => Response.json({ action: "delete-everything" })],
    ["answers a reason that is no text", () => Response.json({ action: "takedown", reason: { a: 1 } })],
    ["answers too much", () => new Response(JSON.stringify({ action: "takedown", reason: "a".repeat(5000) }))],
    ["answers without an end", endless],
    ["breaks the connection", () => Promise.reject(new TypeError("Network connection lost."))],
  ])("A moderation hook that %s harms no file; its request is repeated", async (_, answer) => {
    const { id: accountId, email, token } = await host.open();
    const { url, _id } = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    internet.answer = answer as never;
    const [question] = host.queued.splice(0);
    expect(await host.deliverOne(question)).toEqual({ outcome: "retried", delaySeconds: 2 });
    expect((await host.deliverOne(question, MODERATION, 5)).delaySeconds).toBe(32);
    expect(internet.received).toHaveLength(2);
    expect(await statusOf(url)).toBe(200);
    verdict({ action: "flag", reason: "x" });
    expect((await host.deliverOne(question)).outcome).toBe("acked");
    expect(await reportsOf(accountId)).toMatchObject([{ id: _id }]);
    expect(await auditOf(email)).toEqual([]);
  });

  it("A moderation request that fails for hours is a dead letter with its reason, which the operator sends again", async () => {
    const { token } = await host.open();
    const { _id } = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    internet.answer = () => new Response(null, { status: 503 });
    const [question] = host.queued.splice(0);
    expect((await host.deliverOne(question, "media-host-moderation-dead")).delaySeconds).toBe(900);
    const answer = await asOperator("GET", "dead-letters");
    const { letters } = await answer.json<{ letters: Record<string, unknown>[] }>();
    const letter = letters.find(({ queue, reason }) => queue === "moderation-dead" && String(reason).includes("503"));
    expect(letter).toMatchObject({
      type: "moderation.requested",
      reason: "Error: The moderation hook failed: status 503",
    });
    expect(JSON.stringify(letter)).not.toContain(HOOK);
    verdict({ action: "allow" });
    expect((await host.deliverOne(question, "media-host-moderation-dead", 2)).outcome).toBe("acked");
    expect(_id).toBe(lastQuestion().data.uploadId);
  });

  it.each([
    ["a private address", { MODERATION_URL: "https://10.0.0.1/" }, "address"],
    ["plain HTTP", { MODERATION_URL: "http://hooks.example.com/" }, "address"],
    ["a name with a private address", { MODERATION_URL: "https://inner.example.com/" }, "address"],
    [
      "the service itself",
      { MODERATION_URL: "https://media.example/x", PUBLIC_URL: "https://media.example" },
      "address",
    ],
    ["no secret", { MODERATION_SECRET: "" }, "MODERATION_SECRET"],
    ["a secret of another form", { MODERATION_SECRET: "hunter2" }, "MODERATION_SECRET"],
    ["no address of files", { CDN_URL: "", PUBLIC_URL: "" }, "CDN_URL and PUBLIC_URL"],
  ])("A moderation hook with %s gets nothing, and the log names the cause", async (_, vars, cause) => {
    internet.name("inner.example.com", ["10.0.0.1"]);
    const wrong = new HookedHost(vars);
    const { token } = await wrong.open();
    await wrong.uploadOne(token, { name: "a.png", bytes: newPng() });
    expect(await wrong.deliver()).toEqual(["retried"]);
    expect(internet.received).toEqual([]);
    expect(logged.find((line) => line.includes("upload.not-moderated"))).toContain(cause);
    expect(logged.join()).not.toContain("hunter2");
  });

  it("A slow moderation hook delays no other request of its batch", async () => {
    const { token } = await host.open();
    const slow = await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    const quick = await host.uploadOne(token, { name: "b.png", bytes: newPng() });
    const { promise: release, resolve } = Promise.withResolvers<Response>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    internet.answer = async ({ body }) => {
      const { uploadId } = (JSON.parse(body) as Question).data;
      if (uploadId === slow._id) return release;
      answer(uploadId);
      return Response.json({ action: "allow" });
    };
    const delivered = host.deliverAll();
    expect(await answered).toBe(quick._id);
    resolve(Response.json({ action: "allow" }));
    expect(await delivered).toBe(2);
  });

  it.each([
    ["never answers", () => new Promise<Response>(() => {})],
    [
      "drips for ever",
      () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) })),
    ],
  ])("A hook that %s fails after thirty seconds", async (_, answer) => {
    const limit = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => (ms === 30_000 ? limit.signal : timeout(ms)));
    const { token } = await host.open();
    await host.uploadOne(token, { name: "a.png", bytes: newPng() });
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    internet.answer = () => {
      resolve();
      return answer();
    };
    const delivered = host.deliver();
    await asked;
    // The answer is being read by then.
    await new Promise((done) => setTimeout(done));
    limit.abort(new DOMException("The operation timed out", "TimeoutError"));
    expect(await delivered).toEqual(["retried"]);
    expect(logged.join()).toContain("The moderation hook failed: timeout");
  });
});
