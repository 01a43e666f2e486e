import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Downloader, Gone, OtherBytes, Refused, type Wanted } from "../../../src/cli/pull/download.ts";

// A download that breaks off, meets limits, or meets other bytes.

const bytes = randomBytes(3_000_000);
const hex = (algorithm: string, of: Uint8Array) => createHash(algorithm).update(of).digest("hex");
const ETAG = `"${hex("md5", bytes)}"`;
const ID = "01kb3w2qjx0000000000000000";

let folder: string;
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let ranges: (string | undefined)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pull-"));
  ranges = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  id: ID,
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`,
  size: bytes.length,
  sha256: hex("sha256", bytes),
  ...more,
});

async function download(more: Partial<Wanted> = {}) {
  const downloader = new Downloader(folder, await readdir(folder), 2, new AbortController().signal);
  try {
    return await downloader.download(wanted(more));
  } finally {
    downloader.close();
  }
}

/** Serves the file as RFC 9110 says: `Range` counts only with the present ETag in `If-Range`. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  etag = ETAG,
  file: Uint8Array = bytes,
  most = Infinity,
) {
  const from =
    request.headers["if-range"] === etag ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0) : 0;
  const rest = file.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    ETag: etag,
    "Content-Length": rest.length,
    ...(from > 0 && { "Content-Range": `bytes ${from}-${file.length - 1}/${file.length}` }),
  });
  if (rest.length <= most) response.end(rest);
  else response.write(rest.subarray(0, most), () => setTimeout(() => response.destroy(), 20));
}

describe("downloads", () => {
  it("A download that breaks off resumes where it ended, in the same run", async () => {
    answer = (request, response) => serve(request, response, ETAG, bytes, 1_200_000);
    const part = await download();
    expect(await readFile(part.path)).toEqual(bytes);
    expect(part).toMatchObject({ size: bytes.length, sha256: hex("sha256", bytes), etag: ETAG });
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1).length).toBeGreaterThan(0);
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it("The part of an earlier run is continued, and a complete part is not asked for", async () => {
    const name = `${ID}.${Buffer.from(ETAG).toString("base64url")}.part`;
    await writeFile(join(folder, name), bytes.subarray(0, 1_000_000));
    answer = (request, response) => serve(request, response);
    expect(await readFile((await download()).path)).toEqual(bytes);
    expect(ranges).toEqual(["bytes=1000000-"]);
    expect(await readFile((await download()).path)).toEqual(bytes);
    expect(ranges).toHaveLength(1);
  });

  it("The part of another version is dropped", async () => {
    const name = `${ID}.${Buffer.from('"other"').toString("base64url")}.part`;
    await writeFile(join(folder, name), randomBytes(1_000_000));
    answer = (request, response) => serve(request, response);
    expect(await readFile((await download()).path)).toEqual(bytes);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it.each([
    ["a SHA-256", wantedHash()],
    ["an MD5 as ETag", undefined],
  ])("Bytes that were damaged on the way are refused by %s", async (_, sha256) => {
    const damaged = Buffer.from(bytes);
    damaged[2_000_000] = (damaged[2_000_000] ?? 0) ^ 1;
    answer = (request, response) => serve(request, response, ETAG, damaged);
    await expect(download({ sha256 })).rejects.toThrow(OtherBytes);
    expect(await readdir(folder)).toEqual([]);
  });

  it("A part whose bytes were damaged is downloaded again", async () => {
    const name = `${ID}.${Buffer.from(ETAG).toString("base64url")}.part`;
    await writeFile(join(folder, name), Buffer.alloc(bytes.length));
    answer = (request, response) => serve(request, response);
    expect(await readFile((await download()).path)).toEqual(bytes);
    expect(ranges).toEqual([undefined]);
  });

  it("A limit is waited for as `Retry-After` says, by every download", async () => {
    const times: number[] = [];
    let limits = 2;
    answer = (request, response) => {
      times.push(Date.now());
      if (limits-- > 0) response.writeHead(limits === 1 ? 429 : 503, { "Retry-After": "1" }).end("{}");
      else serve(request, response);
    };
    expect(await readFile((await download()).path)).toEqual(bytes);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it.each([
    [404, {}, Gone],
    [410, {}, Gone],
    [403, {}, Refused],
    [451, {}, Refused],
    [429, { "Retry-After": "86400" }, Refused],
    [302, { Location: "/elsewhere" }, Refused],
  ])("An answer with %s %j ends the download at once", async (status, headers, error) => {
    answer = (_, response) => response.writeHead(status, headers).end("{}");
    await expect(download()).rejects.toThrow(error);
    expect(ranges).toHaveLength(1);
  });

  it("A file of another size than listed is not stored", async () => {
    answer = (request, response) => serve(request, response, '"new"', bytes.subarray(1));
    await expect(download()).rejects.toThrow(OtherBytes);
    expect(await readdir(folder)).toEqual([]);
  });
});

function wantedHash(): string {
  return hex("sha256", bytes);
}
