import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { PART_BYTES } from "../../../src/domain/parts.ts";
import type { Internet } from "../../support/alerts/internet.ts";
import { meterOf } from "../../support/api/account-state.ts";
import { bearer, call } from "../../support/api/api.ts";
import { mp4 } from "../../support/media/samples.ts";
import { broken, expectExact, file, SITE, withInternet } from "../../support/uploads/import-sources.ts";
import {
  deliverImport,
  importUrls,
  makeItemsDue,
  openImporting,
  ringForImports,
  runToEnd,
  showImport,
} from "../../support/uploads/imports.ts";

let internet: Internet;
withInternet((fresh) => {
  internet = fresh;
});

function sourceRequests() {
  return internet.received.map(({ url, headers }) => ({
    url,
    range: headers.get("Range"),
    ifRange: headers.get("If-Range"),
  }));
}

describe("A large file", () => {
  const film = mp4(3 * PART_BYTES + 1234);
  const headers = { "Accept-Ranges": "bytes", ETag: '"v1"' };

  /** A server with ranges, whose answers break off after each `most` bytes. */
  function serveRanges(most: number, tag = () => '"v1"', bytes = () => film) {
    internet.answer = ({ headers: sent }) => {
      const start = Number(/^bytes=(\d+)-$/.exec(sent.get("Range") ?? "")?.[1] ?? 0);
      const current = bytes();
      const isSame = sent.get("If-Range") === tag();
      const from = isSame ? start : 0;
      const rest = current.subarray(from, from + most);
      const pieces = Array.from({ length: Math.ceil(rest.length / 500_000) }, (_, at) =>
        rest.slice(at * 500_000, (at + 1) * 500_000),
      );
      const end = from + most >= current.length ? "ends" : "breaks";
      const all = { ...headers, ETag: tag(), "Content-Length": String(current.length - from) };
      if (!isSame) return broken(pieces, all, end);
      return broken(
        pieces,
        { ...all, "Content-Range": `bytes ${from}-${current.length - 1}/${current.length}` },
        end,
        206,
      );
    };
  }

  it("A large file is continued by ranges after its source breaks off, and is equal", async () => {
    const account = await openImporting("pro");
    serveRanges(10_000_000);
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/film.mp4`]));
    expect(items).toMatchObject([{ state: "done", attempts: 1 }]);
    const requests = sourceRequests();
    expect(requests).toMatchObject([
      { range: null },
      { range: "bytes=10000000-", ifRange: '"v1"' },
      { range: "bytes=20000000-", ifRange: '"v1"' },
    ]);
    const image = await (await call(`/images`, { headers: bearer(account.token) })).json<{
      images: { url: string }[];
    }>();
    const stored = await (await call(new URL(image.images[0]?.url ?? "").pathname)).arrayBuffer();
    expect(Buffer.compare(Buffer.from(stored), Buffer.from(film))).toBe(0);
    await expectExact(account, 1, film.length);
  });

  it("A large file that has changed between two answers is fetched again from its beginning", async () => {
    const account = await openImporting("pro");
    let version = 1;
    const other = mp4(3 * PART_BYTES + 99, 7);
    serveRanges(
      10_000_000,
      () => `"v${version}"`,
      () => (version === 1 ? film : other),
    );
    const id = await importUrls(account.token, [`${SITE}/film.mp4`]);
    const answer = internet.answer;
    internet.answer = (received) => {
      if (internet.received.length === 2) version = 2;
      return answer(received);
    };
    const { items } = await runToEnd(account, id);
    expect(items).toMatchObject([{ state: "done", attempts: 2 }]);
    await expectExact(account, 1, other.length);
  });

  it("A large file fails if the name of its source leads to a private address between two answers", async () => {
    const account = await openImporting("pro");
    internet.name(new URL(SITE).hostname, ["93.184.215.14"], ["10.0.0.7"]);
    serveRanges(10_000_000);
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/film.mp4`]));
    expect(items).toMatchObject([{ state: "failed", error: { code: "source_not_allowed" } }]);
    expect(internet.received.length).toBe(1);
    await expectExact(account, 0, 0);
  });

  it.each([
    ["another place", { "Content-Range": `bytes 0-${film.length - 1}/${film.length}` }],
    ["another length", { "Content-Range": `bytes 10000000-${film.length}/${film.length + 1}` }],
    ["no place", {}],
  ])(
    "A large file whose source answers a range with %s is fetched again, and no byte of that answer is kept",
    async (_, lie) => {
      const account = await openImporting("pro");
      serveRanges(10_000_000);
      const honest = internet.answer;
      let lies = 1;
      internet.answer = (received) =>
        received.headers.has("Range") && lies-- > 0
          ? broken([film.slice(0, 500_000)], { ...headers, ...lie }, "ends", 206)
          : honest(received);
      const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/film.mp4`]));
      expect(items).toMatchObject([{ state: "done", attempts: 2 }]);
      await expectExact(account, 1, film.length);
      const { images } = await (await call("/images", { headers: bearer(account.token) })).json<{
        images: { url: string }[];
      }>();
      const stored = await (await call(new URL(images[0]?.url ?? "").pathname)).arrayBuffer();
      expect(Buffer.compare(Buffer.from(stored), Buffer.from(film))).toBe(0);
    },
  );

  it("A large file whose ranges send more bytes than they declare fails, and nothing stays", async () => {
    const account = await openImporting("pro");
    serveRanges(10_000_000);
    const honest = internet.answer;
    internet.answer = (received) => {
      if (!received.headers.has("Range")) return honest(received);
      const start = Number(/\d+/.exec(received.headers.get("Range") ?? "")?.[0]);
      const range = `bytes ${start}-${film.length - 1}/${film.length}`;
      // All of the file and one byte more.
      const bytes = new Uint8Array(film.length - start + 1);
      bytes.set(film.subarray(start));
      return broken([bytes], { ...headers, "Content-Range": range }, "ends", 206);
    };
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/film.mp4`]));
    expect(items).toMatchObject([{ state: "failed", error: { code: "source_failed" } }]);
    await expectExact(account, 0, 0);
  });

  it("A large file is read in large pieces, because each read has a timer", async () => {
    const account = await openImporting("pro");
    internet.answer = () => file(film);
    const id = await importUrls(account.token, [`${SITE}/film.mp4`]);
    const timers = vi.spyOn(globalThis, "setTimeout");
    expect((await runToEnd(account, id)).counts.done).toBe(1);
    // The runtime's own streams give 4 KB to a reader without a buffer.
    expect(timers.mock.calls.length).toBeLessThan(film.length / (16 * 1024));
    await expectExact(account, 1, film.length);
  });

  it("A large file without ranges is fetched again from its beginning", async () => {
    const account = await openImporting("pro");
    let breaks = 2;
    internet.answer = () =>
      breaks-- > 0
        ? broken([film.slice(0, 9_000_000)], { "Content-Length": String(film.length) }, "breaks")
        : file(film);
    const { items } = await runToEnd(account, await importUrls(account.token, [`${SITE}/film.mp4`]));
    expect(items).toMatchObject([{ state: "done", attempts: 3 }]);
    expect(sourceRequests().every(({ range }) => range === null)).toBe(true);
    await expectExact(account, 1, film.length);
  });

  it("A large file is continued by another consumer after the first has died", async () => {
    const account = await openImporting("pro");
    serveRanges(film.length);
    const answer = internet.answer;
    internet.answer = async (received) => {
      // The consumer dies with its second request.
      if (internet.received.length > 1 && internet.received.length < 12) throw new Error("dead");
      return answer(received);
    };
    const whole = answer;
    let first = true;
    internet.answer = (received) => {
      if (!first) return whole(received);
      first = false;
      return broken([film.slice(0, 9_500_000)], { ...headers, "Content-Length": String(film.length) }, "breaks");
    };
    const id = await importUrls(account.token, [`${SITE}/film.mp4`]);
    const { items } = await runToEnd(account, id);
    expect(items).toMatchObject([{ state: "done" }]);
    await expectExact(account, 1, film.length);
  });

  it("A large file whose last byte was received is not stored by the alarm after its import was stopped", async () => {
    const account = await openImporting("pro");
    serveRanges(2 * PART_BYTES);
    const answer = internet.answer;
    internet.answer = (received) => {
      if (internet.received.length > 1) throw new Error("The source is gone");
      return answer(received);
    };
    const id = await importUrls(account.token, [`${SITE}/film.mp4`]);
    await deliverImport(account);
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      // The runner died with the last byte.
      const { length } = storage.sql
        .exec<{ length: number }>("UPDATE resumables SET length = offset RETURNING length")
        .one();
      expect(length).toBeGreaterThan(PART_BYTES);
    });
    await call(`/imports/${id}`, { method: "DELETE", headers: bearer(account.token) });
    expect(await showImport(account.token, id)).toMatchObject({ counts: { cancelled: 1 } });
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("UPDATE resumables SET lease_until = 0, due_at = 1");
    });
    await ringForImports(account);
    await expectExact(account, 0, 0);
    expect(await meterOf(account.id).listResumables()).toEqual([]);
  });

  it("A large file is tried again only while the account has allowance, which attempts in vain take", async () => {
    const account = await openImporting("free");
    const left = (value?: number) =>
      runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
        if (value !== undefined) storage.kv.put("allowance", { left: value, at: Date.now() });
        return storage.kv.get<{ left: number }>("allowance")?.left ?? 0;
      });
    // It grows while the test runs.
    const expectAbout = (found: number, least: number) => {
      expect(found).toBeGreaterThanOrEqual(least);
      expect(found).toBeLessThan(least + 5);
    };
    internet.answer = () => new Response("later", { status: 503 });
    const id = await importUrls(account.token, [`${SITE}/film.mp4`]);
    await left(-10);
    // The first attempt was paid by the request.
    await deliverImport(account);
    await makeItemsDue(account);
    await deliverImport(account);
    expect(internet.received.length).toBe(1);
    expect((await showImport(account.token, id)).items).toMatchObject([{ state: "pending", attempts: 1 }]);
    const bytes = mp4(2 * PART_BYTES + 1000);
    internet.answer = () => broken([bytes.slice(0, -1)], { "Content-Length": String(bytes.length) }, "breaks");
    await left(1000);
    await deliverImport(account);
    expect(internet.received.length).toBe(2);
    // An attempt, and two parts.
    expectAbout(await left(), 1000 - 20 - 2 * 10);
    internet.answer = () => file(bytes);
    await makeItemsDue(account);
    expect((await runToEnd(account, id)).counts.done).toBe(1);
    expectAbout(await left(), 1000 - 2 * 20 - 2 * 10);
  });
});
