import { createExecutionContext, evictDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import { expectConsistent, meterOf } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, openAccount, type TestAccount } from "../../support/api/api.ts";
import { CountingEnv } from "../../support/costs/counting-env.ts";
import { type Bill, dollarsPerMillion } from "../../support/costs/prices.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { begin, head, OFFSET_TYPE, offsetOf, patch, TUS } from "../../support/uploads/tus.ts";

const LENGTH = 200_000;

let account: TestAccount;
let path: string;
let bytes: Uint8Array;

beforeEach(async () => {
  account = await openAccount();
  bytes = mp4(LENGTH);
  path = await begin(account.uploadKey, LENGTH);
});

/** A client declares the length of a piece. */
function send(token: string, to: string, at: number, piece: Uint8Array | string): Promise<Response> {
  return patch(token, to, at, piece as BodyInit, { "Content-Length": String(piece.length) });
}

function drop(at: number, length: number): Promise<Response> {
  return send(account.uploadKey, path, at, bytes.subarray(at, at + length));
}

describe("Pieces of a few bytes", () => {
  it("A piece of one byte takes one call besides its admission, and about one row", async () => {
    await drop(0, 1);
    const counting = await CountingEnv.open(account.id);
    const bills: Bill[] = [];
    for (let at = 1; at <= 5; at++) {
      bills.push(
        await counting.bill(async () => {
          counting.addWorkerRequest();
          const ctx = createExecutionContext();
          const headers = {
            ...bearer(account.uploadKey),
            ...TUS,
            ...OFFSET_TYPE,
            "Upload-Offset": String(at),
            "Content-Length": "1",
          };
          const request = new Request(BASE_URL + path, { method: "PATCH", headers, body: bytes.slice(at, at + 1) });
          const response = await worker.fetch(request, counting.env, ctx);
          expect([response.status, response.headers.get("Upload-Offset")]).toEqual([204, String(at + 1)]);
          await waitOnExecutionContext(ctx);
        }),
      );
    }
    const rows = bills.reduce((sum, bill) => sum + bill.objectRowsWritten, 0) / bills.length;
    expect(bills.map(({ objectCalls }) => objectCalls)).toEqual(bills.map(() => 2));
    expect(rows).toBeLessThanOrEqual(2);
    expect(Math.min(...bills.map(({ objectRowsWritten }) => objectRowsWritten))).toBe(1);
    expect(Math.max(...bills.map(dollarsPerMillion))).toBeLessThan(3);
  }, 30_000);

  it("An account's tiny pieces are answered at most once a second", async () => {
    const begun = Date.now();
    for (let at = 0; at < 4; at++) expect((await drop(at, 1)).status).toBe(204);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2900);
  }, 20_000);

  it("Tiny pieces that wait for more than ten seconds are refused", async () => {
    const paths = await Promise.all(Array.from({ length: 16 }, () => begin(account.uploadKey, LENGTH)));
    const answers = await Promise.all(paths.map((each) => send(account.uploadKey, each, 0, bytes.subarray(0, 1))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(await refused[0]?.json()).toMatchObject({ code: "rate_limited" });
  }, 30_000);

  it("Pieces of every size make the file, also if the object loses its memory between them", async () => {
    const sizes = [1, 7, 1000, 60_000, 5000, 65_536, 65_537];
    let at = 0;
    for (const size of sizes) {
      const response = await drop(at, size);
      at += size;
      expect([response.status, response.headers.get("Upload-Offset")]).toEqual([204, String(at)]);
      await evictDurableObject(meterOf(account.id));
      expect(await offsetOf(account.uploadKey, path)).toBe(at);
    }
    const last = await drop(at, LENGTH - at);
    expect(last.status).toBe(200);
    const { filename } = await last.json<{ filename: string }>();
    const stored = await (await env.FILES.get(filename))?.arrayBuffer();
    expect(Buffer.from(stored ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
    await expectConsistent(account.id);
  }, 30_000);

  it("A wrong offset is 409, and a foreign upload 404", async () => {
    await drop(0, 10);
    const wrong = await drop(5, 10);
    expect([wrong.status, wrong.headers.get("Upload-Offset")]).toEqual([409, "10"]);
    const other = await openAccount();
    expect((await send(other.uploadKey, path, 10, "x")).status).toBe(404);
  });

  it("A file that is not supported is refused when its first bytes have arrived", async () => {
    const text = await begin(account.uploadKey, 100_000);
    expect((await send(account.uploadKey, text, 0, "a".repeat(30_000))).status).toBe(204);
    expect((await send(account.uploadKey, text, 30_000, "a".repeat(50_000))).status).toBe(415);
  });

  it("A small image in two pieces is stored", async () => {
    const image = png(1, 1, 900);
    const own = await begin(account.uploadKey, image.length);
    expect((await send(account.uploadKey, own, 0, image.subarray(0, 500))).status).toBe(204);
    expect((await send(account.uploadKey, own, 500, image.subarray(500))).status).toBe(200);
  });

  it("A Free account may make 120 requests a minute to unfinished uploads", async () => {
    const response = await head(account.uploadKey, path);
    expect(response.headers.get("X-RateLimit-Limit")).toBe("120");
  });
});

describe("Requests that receive bytes slowly", () => {
  it("A renewed lease writes no row, and another request takes over when it ends", async () => {
    await drop(0, 10);
    const meter = meterOf(account.id);
    const id = path.split("/").at(-1) ?? "";
    expect(await meter.openResumable(id, { writer: "one", offset: 10 })).toMatchObject({ outcome: "opened" });
    const counting = await CountingEnv.open(account.id);
    const bill = await counting.bill(async () => {
      for (let time = 0; time < 5; time++)
        expect(await meter.renewResumable(id, "one")).toMatchObject({ outcome: "written" });
    });
    expect(bill.objectRowsWritten).toBe(0);
    expect(await meter.openResumable(id, { writer: "two", offset: 10 })).toMatchObject({ outcome: "opened" });
    expect(await meter.renewResumable(id, "one")).toEqual({ outcome: "lost" });
  }, 30_000);

  it("A Free account writes to at most ten uploads at the same time", async () => {
    const meter = meterOf(account.id);
    const ids = await Promise.all(
      Array.from({ length: 11 }, async () => (await begin(account.uploadKey, LENGTH)).split("/").at(-1) ?? ""),
    );
    const outcomes: string[] = [];
    for (const id of ids) outcomes.push((await meter.openResumable(id, { writer: id, offset: 0 })).outcome);
    expect(outcomes).toEqual([...Array.from({ length: 10 }, () => "opened"), "held"]);
    await meter.releaseResumable(ids[0] ?? "", ids[0] ?? "");
    expect(await meter.openResumable(ids[10] ?? "", { writer: "x", offset: 0 })).toMatchObject({ outcome: "opened" });
  });
});
