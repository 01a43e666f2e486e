import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { MAX_ITEM_ATTEMPTS } from "../../../src/domain/imports.ts";
import { sourcePace } from "../../../src/services/imports/source-stream.ts";
import type { Internet } from "../../support/alerts/internet.ts";
import { meterOf, readMeter, setStorageBytes, setUsedTenths, storedKeys } from "../../support/api/account-state.ts";
import { bearer, call, callJson, createApiKey, openAccount } from "../../support/api/api.ts";
import { readEvents, typesOf } from "../../support/events/events.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { writePng } from "../../support/png/write-png.ts";
import { broken, expectExact, file, HeldAnswers, SITE, withInternet } from "../../support/uploads/import-sources.ts";
import {
  deliverImport,
  deliverMany,
  type ImportingAccount,
  importUrls,
  makeItemsDue,
  openImporting,
  ringForImports,
  runToEnd,
  showImport,
  takeImports,
} from "../../support/uploads/imports.ts";

/** A busy machine is slow to meet a condition. */
const PATIENCE = { timeout: 20_000 };

let internet: Internet;
withInternet((fresh) => {
  internet = fresh;
});

describe("An import", () => {
  it("`POST /images/import` stores each file like an upload, with its name, folder and tags", async () => {
    const account = await openImporting("pro");
    const folder = await (await callJson("POST", "/folders", account.token, { name: "Beach" })).json<{ _id: string }>();
    const photo = png(3, 2, 5000);
    internet.answer = ({ url }) =>
      url.endsWith("/film")
        ? file(mp4(7000), { "Content-Disposition": 'attachment; filename="holiday film.mp4"' })
        : file(photo, { "Content-Type": "text/html" });
    const id = await importUrls(account.token, [
      { url: `${SITE}/a%20b.png?signature=secret#part`, folderId: folder._id, tags: ["sea", "sun"] },
      { url: `${SITE}/film` },
      { url: `${SITE}/c.png`, filename: "other.jpg" },
    ]);
    expect(await ringForImports(account)).toBe(8);
    const shown = await runToEnd(account, id);
    expect(shown).toMatchObject({ total: 3, counts: { done: 3, pending: 0, running: 0, failed: 0, cancelled: 0 } });
    const listed = await (await call("/images?folderId=all", { headers: bearer(account.token) })).json<{
      images: Record<string, unknown>[];
    }>();
    const byId = new Map(listed.images.map((image) => [image._id, image]));
    const stored = shown.items.map(({ uploadId }) => byId.get(uploadId ?? ""));
    expect(stored).toMatchObject([
      { originalFilename: "a b.png", folderId: folder._id, tags: ["sea", "sun"], mimeType: "image/png" },
      { originalFilename: "holiday film.mp4", folderId: null, tags: [], mimeType: "video/mp4" },
      { originalFilename: "other.jpg", mimeType: "image/png" },
    ]);
    const bytes = await (await call(new URL(String(stored[0]?.url)).pathname)).arrayBuffer();
    expect(new Uint8Array(bytes)).toEqual(photo);
    await expectExact(account, 3, 5000 + 7000 + 5000);
    expect(internet.received[0]).toMatchObject({ url: `${SITE}/a%20b.png?signature=secret` });
    expect(internet.received[0]?.headers.get("Accept-Encoding")).toBe("identity");
    const logs = await (await call("/logs", { headers: bearer(account.token) })).json<{ logs: { type: string }[] }>();
    expect(logs.logs.map(({ type }) => type)).toEqual(["upload", "upload", "upload"]);
  });

  it("Items have the other fields of an upload: visibility, alt, metadata and an id of their own", async () => {
    const account = await openImporting("pro");
    internet.answer = () => file(png());
    const fields = { visibility: "private", alt: "A beach", metadata: { takenBy: "Ada" }, externalId: "beach-1" };
    const id = await importUrls(account.token, [
      { url: `${SITE}/a.png`, ...fields },
      { url: `${SITE}/b.png`, alt: null, metadata: null, externalId: null },
      { url: `${SITE}/c.png`, externalId: "beach-1" },
    ]);
    const { items } = await runToEnd(account, id);
    expect(items.map(({ state, error }) => [state, error?.code])).toEqual([
      ["done", undefined],
      ["done", undefined],
      ["failed", "external_id_taken"],
    ]);
    const show = async (at: number) =>
      (await call(`/images/${items[at]?.uploadId}`, { headers: bearer(account.token) })).json<
        Record<string, unknown>
      >();
    const image = await show(0);
    expect(image).toMatchObject(fields);
    expect((await call(new URL(String(image.url)).pathname)).status).toBe(403);
    expect(await show(1)).toMatchObject({ visibility: "public", alt: null, metadata: null, externalId: null });
    for (const [name, value] of Object.entries({ visibility: "secret", metadata: "text", alt: 1 })) {
      const answer = await callJson("POST", "/images/import", account.token, { items: [{ url: SITE, [name]: value }] });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });

  it.each([
    ["small", 0],
    ["fetched by ranges", 9 * 1024 * 1024],
  ])(
    "Items have the options of an upload: `compress` and `expiresAt` of a file that is %s",
    async (_, paddingBytes) => {
      const account = await openImporting("pro");
      const small = writePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, pixel: (x) => [x, 30, 200] });
      const bytes = new Uint8Array(small.length + paddingBytes);
      bytes.set(small);
      internet.answer = () => file(bytes, { ETag: '"one"', "Accept-Ranges": "bytes" });
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const id = await importUrls(account.token, [
        { url: `${SITE}/a.png`, compress: true, expiresAt },
        { url: `${SITE}/b.png`, compress: false, expiresAt: null },
        { url: `${SITE}/c.png` },
        { url: `${SITE}/d.png`, expiresAt: "2020-01-01T00:00:00Z" },
      ]);
      const { items } = await runToEnd(account, id);
      expect(items.map(({ state, error }) => [state, error?.code])).toEqual([
        ["done", undefined],
        ["done", undefined],
        ["done", undefined],
        ["failed", "invalid_request"],
      ]);
      const shown = await Promise.all(
        items.slice(0, 3).map(async ({ uploadId }) => {
          const answer = await call(`/images/${uploadId}`, { headers: bearer(account.token) });
          return answer.json<Record<string, unknown>>();
        }),
      );
      expect(shown).toMatchObject([
        { compressed: true, expiresAt },
        { compressed: false, expiresAt: null },
        { compressed: false, expiresAt: null },
      ]);
      for (const [name, value] of Object.entries({ compress: "yes", expiresAt: "tomorrow" })) {
        const answer = await callJson("POST", "/images/import", account.token, {
          items: [{ url: SITE, [name]: value }],
        });
        expect([name, answer.status]).toEqual([name, 400]);
      }
    },
  );

  it("The end of an import is the event `import.finished`, once, after the events of its uploads", async () => {
    const account = await openImporting("pro");
    await readEvents(account);
    internet.answer = ({ url }) => (url.endsWith("missing") ? new Response("no", { status: 404 }) : file(png()));
    const id = await importUrls(account.token, [`${SITE}/a.png`, `${SITE}/missing`, `${SITE}/b.png`]);
    const { items: _, pagination: __, ...shown } = await runToEnd(account, id);
    const stop = (ended: string) => call(`/imports/${ended}`, { method: "DELETE", headers: bearer(account.token) });
    await stop(id);
    const stopped = await importUrls(account.token, [`${SITE}/c.png`, `${SITE}/d.png`]);
    const answer = await (await stop(stopped)).json();
    await stop(stopped);
    await deliverImport(account);
    const page = await readEvents(account);
    expect(typesOf(page)).toEqual(["upload.completed", "upload.completed", "import.finished", "import.finished"]);
    expect(page.events[2]?.data).toEqual(shown);
    expect(shown).toMatchObject({ _id: id, counts: { done: 2, failed: 1 }, endedAt: expect.stringMatching(/Z$/) });
    expect(page.events[3]?.data).toEqual(answer);
    expect(answer).toMatchObject({ _id: stopped, counts: { cancelled: 2 }, stoppedAt: expect.stringMatching(/Z$/) });
  });

  it("An upload key imports, and sees only its own imports", async () => {
    const account = await openImporting("free");
    internet.answer = () => file(png());
    const own = await importUrls(account.uploadKey, [`${SITE}/a.png`]);
    const session = await importUrls(account.token, [`${SITE}/b.png`]);
    await runToEnd(account, own);
    const list = async (token: string) => {
      const answer = await call("/imports", { headers: bearer(token) });
      return (await answer.json<{ imports: { _id: string }[] }>()).imports.map(({ _id }) => _id);
    };
    expect([await list(account.uploadKey), await list(account.token)]).toEqual([[own], [session, own]]);
    for (const method of ["GET", "DELETE"]) {
      const answer = await call(`/imports/${session}`, { method, headers: bearer(account.uploadKey) });
      expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([404, "import_not_found"]);
    }
  });

  it("A confined key imports only into its folder", async () => {
    const account = await openImporting("pro");
    const folder = await (await callJson("POST", "/folders", account.token, { name: "In" })).json<{ _id: string }>();
    const other = await (await callJson("POST", "/folders", account.token, { name: "Out" })).json<{ _id: string }>();
    const { key } = await createApiKey(account.token, ["upload"], { folderId: folder._id });
    internet.answer = () => file(png());
    const id = await importUrls(key, [`${SITE}/a.png`, { url: `${SITE}/b.png`, folderId: other._id }]);
    const { items } = await runToEnd(account, id);
    expect(items).toMatchObject([{ state: "done" }, { state: "failed", error: { code: "folder_not_found" } }]);
    const image = await (await call("/images?folderId=all", { headers: bearer(account.token) })).json<{
      images: object[];
    }>();
    expect(image.images).toMatchObject([{ folderId: folder._id }]);
  });

  it("Items that are malformed are 400 and nothing is created", async () => {
    const { token } = await openAccount();
    for (const url of [
      "",
      "files.example.com/a.png",
      "ftp://files.example.com/a",
      "https://me:pw@files.example.com/a",
      `${SITE}/${"a".repeat(2048)}`,
    ]) {
      const answer = await callJson("POST", "/images/import", token, { items: [{ url }] });
      expect([url, answer.status]).toEqual([url, 400]);
    }
    for (const items of [
      [],
      Array(1001).fill({ url: SITE }),
      [{ url: SITE, tags: ["a,b"] }],
      [{ url: SITE, name: "x" }],
    ]) {
      expect((await callJson("POST", "/images/import", token, { items })).status).toBe(400);
    }
    expect(await (await call("/imports", { headers: bearer(token) })).json()).toMatchObject({ imports: [] });
  });

  it("A thousand items are accepted, paged in order, and taken from the allowance", async () => {
    const account = await openImporting("free");
    const urls = Array.from({ length: 1000 }, (_, number) => `${SITE}/${number}.png?${"x".repeat(1500)}`);
    const allowance = () =>
      runInDurableObject(
        meterOf(account.id),
        (_meter, { storage }) => storage.kv.get<{ left: number }>("allowance")?.left,
      );
    await importUrls(account.token, [`${SITE}/a.png`]);
    const before = (await allowance()) ?? 0;
    const id = await importUrls(account.token, urls);
    expect(Math.round((before - ((await allowance()) ?? 0)) / 20)).toBe(1000);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await showImport(account.token, id, `?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ url }) => url));
      cursor = page.pagination.nextCursor;
    }
    expect(seen).toEqual(urls);
  });

  it("An account has ten imports that have not ended; further ones are 400", async () => {
    const account = await openImporting();
    for (let count = 0; count < 10; count++) await importUrls(account.token, [`${SITE}/a.png`]);
    const refused = await callJson("POST", "/images/import", account.token, { items: [{ url: SITE }] });
    expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([400, "count_limit_reached"]);
  });

  it("A request that repeats its idempotency key gets the first import; other items are 422", async () => {
    const account = await openImporting();
    const send = (url: string, key: string) =>
      call("/images/import", {
        method: "POST",
        headers: { ...bearer(account.token), "Content-Type": "application/json", "Idempotency-Key": key },
        body: JSON.stringify({ items: [{ url }] }),
      });
    const [first, again] = [await send(`${SITE}/a`, '"k1"'), await send(`${SITE}/a`, '"k1"')];
    expect([first.status, again.status, await again.json()]).toEqual([202, 202, await first.json()]);
    expect((await send(`${SITE}/b`, '"k1"')).status).toBe(422);
    expect((await send(`${SITE}/b`, '"k2"')).status).toBe(202);
  });
});

describe("A source", () => {
  async function failureOf(url: string, account?: ImportingAccount) {
    const importing = account ?? (await openImporting());
    const { items } = await runToEnd(importing, await importUrls(importing.token, [url]));
    await expectExact(importing, 0, 0);
    return {
      state: items[0]?.state,
      code: items[0]?.error?.code,
      ...items[0]?.error?.details,
      attempts: items[0]?.attempts,
    };
  }

  it.each([
    "http://127.0.0.1/a.png",
    "http://2130706433/a.png",
    "http://0x7f.1/a.png",
    "http://0177.0.0.1/a.png",
    "http://017700000001/a.png",
    "http://127.1/a.png",
    "http://0/a.png",
    "http://①②⑦.0.0.1/a.png",
    "http://10.0.0.1./a.png",
    "https://[::1]/a.png",
    "https://[::ffff:169.254.169.254]/latest",
    "https://[::ffff:7f00:1]/a.png",
    "https://[64:ff9b::127.0.0.1]/a.png",
    "https://[fe80::1]/a.png",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/a.png",
    "https://LOCALHOST./a.png",
    "https://printer.local/a.png",
    "https://files.example.com:22/a.png",
    "https://media.example/images",
  ])("An import from %s is refused without a request", async (url) => {
    expect(await failureOf(url)).toMatchObject({ state: "failed", code: "source_not_allowed", attempts: 1 });
    expect(internet.received).toEqual([]);
  });

  it.each([
    ["10.0.0.7"],
    ["93.184.215.14", "127.0.0.1"],
    ["93.184.215.14", "::1"],
    ["::1"],
    ["::ffff:10.0.0.7"],
    ["64:ff9b::7f00:1"],
    ["2002:7f00:1::"],
    ["fd00::1"],
    ["fe80::1"],
    ["0.0.0.0"],
    ["100.64.0.1"],
    ["169.254.169.254"],
    [],
  ])("A source with the addresses %s %s is refused without a request", async (...addresses) => {
    internet.name("inner.example.com", addresses);
    expect(await failureOf("https://inner.example.com/a.png")).toMatchObject({ code: "source_not_allowed" });
    expect(internet.received).toEqual([]);
  });

  it.each([
    "http://127.0.0.1/x",
    "http://2130706433/x",
    "http://0177.0.0.1/x",
    "https://[::ffff:127.0.0.1]/x",
    "//localhost/x",
    "https://inner.example.com/x",
    "file:///etc/passwd",
    "https://u:p@files.example.com/",
  ])("A source that redirects to %s is refused, and the target is not requested", async (Location) => {
    internet.name("inner.example.com", ["192.168.1.1"]);
    internet.answer = () => new Response(null, { status: 302, headers: { Location } });
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ code: "source_not_allowed", attempts: 1 });
    expect(internet.received.map(({ url }) => url)).toEqual([`${SITE}/a.png`]);
  });

  it("An import follows five redirects, but not six, and none from https to http", async () => {
    internet.answer = ({ url }) => {
      const { pathname } = new URL(url);
      const left = Number(pathname.slice(1));
      return left === 0 ? file(png()) : new Response(null, { status: 307, headers: { Location: `/${left - 1}` } });
    };
    const account = await openImporting();
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/5`, `${SITE}/6`]));
    expect(items).toMatchObject([
      { state: "done" },
      { state: "failed", attempts: 1, error: { code: "source_failed", details: { reason: "redirects" } } },
    ]);
    internet.answer = () => new Response(null, { status: 301, headers: { Location: "http://files.example.com/0" } });
    expect(await failureOf(`${SITE}/9`)).toMatchObject({ reason: "redirects", attempts: 1 });
  });

  it("A source that redirects from host to host in vain takes half a change of the allowance for each further host", async () => {
    const account = await openImporting();
    for (const host of ["a", "b", "c"]) internet.name(`${host}.example.com`, ["93.184.215.14"]);
    internet.answer = ({ url }) => {
      const next = { a: "b", b: "c" }[new URL(url).hostname[0] ?? ""];
      const Location = `https://${next}.example.com/x.png`;
      return next === undefined
        ? new Response("no", { status: 404 })
        : new Response(null, { status: 302, headers: { Location } });
    };
    const left = () =>
      runInDurableObject(
        meterOf(account.id),
        (_meter, { storage }) => storage.kv.get<{ left: number }>("allowance")?.left ?? 0,
      );
    const id = await importUrls(account.token, ["https://a.example.com/x.png"]);
    const before = await left();
    expect((await runToEnd(account, id)).items).toMatchObject([{ state: "failed", attempts: 1 }]);
    // A change is 20.
    expect(Math.round(before - (await left()))).toBe(2 * 10);
  });

  it("A source that answers 404 fails at once; a source that answers 503 fails after five tries", async () => {
    internet.answer = () => new Response("no", { status: 404 });
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({
      code: "source_failed",
      reason: "status",
      status: 404,
      attempts: 1,
    });
    internet.answer = () => new Response("later", { status: 503 });
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({
      reason: "status",
      status: 503,
      attempts: MAX_ITEM_ATTEMPTS,
    });
    expect(internet.received.length).toBe(1 + MAX_ITEM_ATTEMPTS);
  });

  it("A source that is no image or video fails with an upload's code, also if it declares the type of an image", async () => {
    internet.answer = () =>
      file(new TextEncoder().encode("<html></html>") as Uint8Array<ArrayBuffer>, { "Content-Type": "image/png" });
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ code: "unsupported_media_type", attempts: 1 });
    internet.answer = () => file(new Uint8Array(0));
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ state: "failed", attempts: 1 });
  });

  it("A picture that is too large to decode is imported as an upload would be, without compression", async () => {
    const account = await openImporting("pro");
    await callJson("PATCH", "/settings", account.token, { autoCompress: true });
    const bomb = png(60_000, 60_000, 4000);
    internet.answer = () => file(bomb);
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/bomb.png`]));
    expect(items).toMatchObject([{ state: "done", attempts: 1 }]);
    await expectExact(account, 1, bomb.length);
  });

  it("A source that compresses its answer is refused", async () => {
    const gzip = () => new Response(png(), { headers: { "Content-Encoding": "gzip" }, encodeBody: "manual" });
    internet.answer = gzip;
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ reason: "encoding", attempts: 1 });
  });

  it("A source that sends fewer or more bytes than it declares fails, and nothing stays", async () => {
    internet.answer = () => broken([png(3, 2, 300)], { "Content-Length": "400" }, "ends");
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ reason: "length", attempts: MAX_ITEM_ATTEMPTS });
    internet.answer = () => broken([png(3, 2, 300), png(3, 2, 300)], { "Content-Length": "400" }, "ends");
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ reason: "length" });
  });

  it("A source that stalls before or in its answer, or trickles, is cut off", async () => {
    Object.assign(sourcePace, { withinMs: 150, answerMs: 100 });
    internet.answer = () => new Promise<Response>(() => {});
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ reason: "stalled", attempts: MAX_ITEM_ATTEMPTS });
    internet.answer = () => broken([png(3, 2, 300)], { "Content-Length": "4000" }, "stalls");
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ reason: "stalled" });
    internet.answer = () => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          controller.enqueue(new Uint8Array([1]));
        },
      });
      return new Response(body);
    };
    expect(await failureOf(`${SITE}/a.png`)).toMatchObject({ reason: "stalled" });
  });

  it("A source that declares 10 GB, or sends without end, fails with the code of a full storage and frees it", async () => {
    internet.answer = () => broken([mp4(70_000)], { "Content-Length": String(10 * 1024 ** 3) }, "stalls");
    expect(await failureOf(`${SITE}/film.mp4`)).toMatchObject({ code: "storage_limit_exceeded", attempts: 1 });
    const account = await openImporting();
    await setStorageBytes(account.id, 1024 ** 3 - 12_000_000);
    await takeImports(account.id, account.queue);
    const piece = mp4(1_000_000);
    internet.answer = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(piece.slice()),
        }),
      );
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/film.mp4`]));
    expect(items).toMatchObject([{ state: "failed", error: { code: "storage_limit_exceeded" } }]);
    expect(await storedKeys(account.id)).toEqual([]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 1024 ** 3 - 12_000_000, intents: [] });
  });

  it("A month's operations that are used up fail items as uploads", async () => {
    const account = await openImporting();
    await setUsedTenths(account.id, 100_000);
    await takeImports(account.id, account.queue);
    internet.answer = () => file(png());
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/a.png`]));
    expect(items).toMatchObject([{ state: "failed", error: { code: "operations_exhausted" } }]);
  });
});

describe("The items of an import", () => {
  it("Items are each stored once, although messages repeat and runners work at the same time", async () => {
    const account = await openImporting("pro");
    internet.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return file(png(3, 2, 400));
    };
    const urls = Array.from({ length: 12 }, (_, number) => `${SITE}/${number}.png`);
    const id = await importUrls(account.token, urls);
    await Promise.all(Array.from({ length: 5 }, () => deliverImport(account)));
    const shown = await showImport(account.token, id);
    expect(shown.counts).toMatchObject({ done: 12, running: 0, pending: 0 });
    expect(internet.received.map(({ url }) => url).sort()).toEqual([...urls].sort());
    await expectExact(account, 12, 12 * 400);
  });

  it("Items of a Free account are fetched two at a time", async () => {
    const account = await openImporting("free");
    const held = new HeldAnswers(internet, () => file(png()));
    const urls = Array.from({ length: 6 }, (_, number) => `${SITE}/${number}.png`);
    const id = await importUrls(account.token, urls);
    expect(await ringForImports(account)).toBe(2);
    const { delivered, ended } = deliverMany(Array(5).fill(account));
    // Three consumers get no item. Then each item that ends lets the next one begin.
    await vi.waitFor(() => expect([delivered.handled, held.waiting]).toEqual([3, 2]), PATIENCE);
    for (let left = urls.length; left > 0; left--) {
      await vi.waitFor(() => expect(held.waiting).toBe(Math.min(2, left)), PATIENCE);
      held.release();
    }
    await ended;
    expect([held.most, (await showImport(account.token, id)).counts.done]).toEqual([2, 6]);
  });

  it("Items of all accounts are fetched from one host eight at a time, and others wait without a try", async () => {
    const host = "https://busy.example.com";
    internet.name("busy.example.com", ["93.184.215.15"]);
    const held = new HeldAnswers(internet, () => file(png()));
    const accounts = await Promise.all(Array.from({ length: 3 }, () => openImporting("pro")));
    const urls = Array.from({ length: 4 }, (_, number) => `${host}/${number}.png`);
    const ids = await Promise.all(accounts.map(({ token }) => importUrls(token, urls)));
    const { delivered, ended } = deliverMany(accounts.flatMap((account) => Array(4).fill(account)));
    // Four consumers find no free turn.
    await vi.waitFor(() => expect([delivered.handled, held.waiting]).toEqual([4, 8]), PATIENCE);
    held.releaseAll();
    await ended;
    expect(held.most).toBe(8);
    for (const [at, account] of accounts.entries()) {
      await makeItemsDue(account);
      const { items } = await runToEnd(account, ids[at] ?? "");
      expect(items.map(({ state, attempts }) => [state, attempts])).toEqual(Array(4).fill(["done", 1]));
    }
  });

  it("Items of a host that never answers hold up no other host and no other account", async () => {
    internet.name("slow.example.com", ["93.184.215.16"]);
    const held = new HeldAnswers(internet, () => file(png()));
    const slow = internet.answer;
    internet.answer = (received) => (received.url.startsWith("https://slow.") ? slow(received) : file(png()));
    const [victim, other] = [await openImporting("pro"), await openImporting("free")];
    const urls = Array.from({ length: 12 }, (_, number) => `https://slow.example.com/${number}.png`);
    const id = await importUrls(victim.token, urls);
    const { ended } = deliverMany(Array(7).fill(victim));
    await vi.waitFor(() => expect(held.waiting).toBe(7), PATIENCE);
    // Another account, and the same account's place for one more item, at another host.
    await runToEnd(other, await importUrls(other.token, [`${SITE}/a.png`]));
    await call(`/imports/${id}`, { method: "DELETE", headers: bearer(victim.token) });
    expect((await runToEnd(victim, await importUrls(victim.token, [`${SITE}/b.png`]))).counts.done).toBe(1);
    expect(held.waiting).toBe(7);
    held.releaseAll();
    await ended;
  });

  it("Items are cancelled when the import is stopped, and running ones end without a file", async () => {
    const account = await openImporting("free");
    let go = () => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    internet.answer = async () => {
      await waiting;
      return file(png());
    };
    const id = await importUrls(account.token, [`${SITE}/a.png`, `${SITE}/b.png`, `${SITE}/c.png`]);
    const delivered = deliverImport(account);
    await vi.waitFor(() => expect(internet.received.length).toBe(1), PATIENCE);
    const stopped = await call(`/imports/${id}`, { method: "DELETE", headers: bearer(account.token) });
    expect(await stopped.json()).toMatchObject({ counts: { cancelled: 2, running: 1 }, endedAt: null });
    await call(`/imports/${id}`, { method: "DELETE", headers: bearer(account.token) });
    go();
    expect(await delivered).toBe("acked");
    const { counts, endedAt } = await showImport(account.token, id);
    // The file that was on its way is stored or cancelled, and counted accordingly.
    expect([counts.done + counts.cancelled, endedAt !== null]).toEqual([3, true]);
    await expectExact(account, counts.done, counts.done * 100);
  });

  it("Items of a revoked key fail, and items of a session that has ended are stored", async () => {
    const account = await openImporting("pro");
    const { key, _id } = await createApiKey(account.token, ["upload"]);
    internet.answer = () => file(png());
    const id = await importUrls(key, [`${SITE}/a.png`, `${SITE}/b.png`]);
    await call(`/keys/${_id}`, { method: "DELETE", headers: bearer(account.token) });
    const { items } = await runToEnd(account, id);
    expect(items.map(({ state, error }) => [state, error?.code])).toEqual(Array(2).fill(["failed", "invalid_key"]));
    const other = await importUrls(account.token, [`${SITE}/c.png`]);
    await callJson("POST", "/auth/logout", account.token, {});
    expect(await deliverImport(account)).toBe("acked");
    await expectExact(account, 1, 100);
    expect((await meterOf(account.id).findImport(other, { limit: 1 }))?.found.counts.done).toBe(1);
  });

  it("Items begin again after their consumer has died, and nothing is stored twice", async () => {
    const account = await openImporting("pro");
    internet.answer = () => file(png(3, 2, 500));
    const id = await importUrls(account.token, [`${SITE}/a.png`]);
    // The consumer takes the item and dies.
    const lost = await meterOf(account.id).takeImportItem();
    expect(await meterOf(account.id).takeImportItem()).toBeUndefined();
    await makeItemsDue(account);
    const { items } = await runToEnd(account, id);
    expect(items).toMatchObject([{ state: "done", attempts: 2 }]);
    // Its late end changes nothing, and its late upload is refused.
    const late = { importId: id, number: 0, uploadId: lost?.uploadId ?? "" };
    const error = { error: "x", statusCode: 422, code: "source_failed" as const };
    await meterOf(account.id).endImportItem(
      late,
      { outcome: "failed", error, vain: { fetchedBytes: 0, furtherHosts: 0 } },
      false,
    );
    const intent = {
      kind: "upload" as const,
      uploadId: late.uploadId,
      keyId: null,
      importItem: { importId: id, number: 0 },
      objectKey: `uploads/${account.id}/${late.uploadId}-a.png`,
    };
    expect(await meterOf(account.id).reserve(intent, 10, 10)).toEqual({ outcome: "refused" });
    expect((await showImport(account.token, id)).items).toMatchObject([
      { state: "done", uploadId: items[0]?.uploadId },
    ]);
    await expectExact(account, 1, 500);
  });

  it("Items are done if their consumer dies after the upload is settled", async () => {
    const account = await openImporting("pro");
    internet.answer = () => file(png(3, 2, 500));
    const id = await importUrls(account.token, [`${SITE}/a.png`]);
    // The end of the attempt does not reach the object.
    const spy = vi.spyOn(console, "error").mockImplementation(() => {});
    await deliverImport(account);
    expect((await showImport(account.token, id)).counts.done).toBe(1);
    await makeItemsDue(account);
    await deliverImport(account);
    spy.mockRestore();
    expect(internet.received.length).toBe(1);
    await expectExact(account, 1, 500);
  });

  it("Items of a suspended account wait until it is active again", async () => {
    const account = await openImporting("pro");
    internet.answer = () => file(png());
    const id = await importUrls(account.token, [`${SITE}/a.png`]);
    await meterOf(account.id).suspend({ reason: "x", servesFiles: true });
    await deliverImport(account);
    expect(internet.received).toEqual([]);
    await meterOf(account.id).unsuspend();
    expect((await runToEnd(account, id)).counts.done).toBe(1);
  });
});
