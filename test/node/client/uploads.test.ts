import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, MediaHostError } from "../../../src/client/index.ts";
import { openFile } from "../../../src/client/node.ts";
import { TusServer } from "../../support/client/tus-server.ts";

// The client's uploads in Node, over connections that really break.

const MIB = 1024 * 1024;
const RESUMABLE = { resumableFromBytes: 1 };

let server: TusServer;

beforeEach(async () => {
  server = await TusServer.start();
});
afterEach(() => server[Symbol.asyncDispose]());

const client = (retries?: number) => createClient({ baseUrl: server.url, key: () => "service_live_x", retries });
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const stored = () => [...server.uploads.values()].map(({ bytes }) => sha(bytes));

/** Numbers from 0 up to `below`, determined by a seed (Park and Miller). */
function dice(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function memoryStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

describe("forms", () => {
  it.each(["lose", "cut"])(
    "A form whose answer is lost (%s) is sent again with the same key and stored once",
    async (how) => {
      server.fate = (_, count) => (count > 1 ? "answer" : how === "lose" ? "lose" : { cutAtByte: 1000 });
      const result = await client().upload(new File([randomBytes(100_000)], "a b é.png"), { tags: ["x"] });
      expect(result.url).toBe(`${server.url}/form`);
      expect(server.count("POST")).toBe(2);
      expect(server.asked[0]?.headers.authorization).toBe("Bearer service_live_x");
      expect(server.asked[0]?.headers["idempotency-key"]).toBe(server.asked[1]?.headers["idempotency-key"]);
      expect(server.forms.size).toBe(1);
    },
  );

  it.each([
    [429, 2],
    [503, 1],
    [409, 1],
  ])("A form that is answered %d waits the %d seconds that the service asks for", async (status, retryAfter) => {
    server.fate = (_, count) => (count === 1 ? { status, retryAfter } : "answer");
    await client().upload(new Blob(["x"]));
    const [first, second] = server.asked;
    const waitedMs = (second?.at ?? 0) - (first?.at ?? 0);
    expect(waitedMs).toBeGreaterThanOrEqual(retryAfter * 1000 - 20);
    expect(waitedMs).toBeLessThan(retryAfter * 1000 + 3000);
  });

  it.each([
    [413, undefined],
    [422, undefined],
    [409, undefined],
    [429, 86_400],
  ])("A form that is answered %d (Retry-After %s) is not sent again", async (status, retryAfter) => {
    server.fate = () => ({ status, retryAfter });
    const error = await client()
      .upload(new Blob(["x"]))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MediaHostError);
    expect(error).toMatchObject({
      statusCode: status,
      message: "refused",
      retryAfterSeconds: retryAfter,
      retryable: false,
    });
    expect(server.asked).toHaveLength(1);
  });

  it("A caller that retries by itself sends a form once, under its own key, and gets every answer", async () => {
    const told: number[] = [];
    server.fate = (_, count) => (count === 1 ? "lose" : count === 2 ? { status: 503, retryAfter: 1 } : "answer");
    const options = { baseUrl: server.url, retries: 0, onAnswer: ({ status }: Response) => told.push(status) };
    const send = () => createClient(options).upload(new File(["x"], "a.png"), { idempotencyKey: "mine" });
    await expect(send()).rejects.toMatchObject({ statusCode: 0 });
    await expect(send()).rejects.toMatchObject({ statusCode: 503, retryAfterSeconds: 1 });
    await send();
    expect(server.asked.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(3).fill('"mine"'));
    expect(server.forms.size).toBe(1);
    expect(told).toEqual([503, 201]);
  });

  it("A form fails after the configured number of tries; its error has status 0 if no answer came", async () => {
    server.fate = () => "lose";
    const error = await client(1)
      .upload(new Blob(["x"]))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ statusCode: 0, retryable: true });
    expect(server.asked).toHaveLength(2);
  });

  it("A form fails with the signal's reason, even while it waits", async () => {
    server.fate = () => ({ status: 503, retryAfter: 100 });
    const reason = new Error("enough");
    await expect(client().upload(new Blob(["x"]), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 300);
    await expect(client().upload(new Blob(["x"]), { signal: controller.signal })).rejects.toBe(reason);
    expect(server.asked).toHaveLength(1);
  });
});

describe("large files", () => {
  it("A large file is sent in pieces with its name, folder and tags, and reports its progress", async () => {
    const bytes = randomBytes(20 * MIB + 1);
    const told: number[] = [];
    const onProgress = ({ sentBytes }: { sentBytes: number }) => void told.push(sentBytes);
    await client().upload(new File([bytes], "Ferien ü.mp4"), { folderId: "f", tags: ["a", "b"], onProgress });
    expect(stored()).toEqual([sha(bytes)]);
    expect([...server.uploads.values()][0]?.metadata).toEqual({ filename: "Ferien ü.mp4", folderId: "f", tags: "a,b" });
    expect(told).toEqual([0, 8 * MIB, 16 * MIB]);
    expect(server.count("HEAD")).toBe(0);
  });

  it.each([1, 3])(
    "A large file arrives whole although its connections break (seed %d)",
    async (seed) => {
      const below = dice(seed);
      const bytes = randomBytes(12 * MIB);
      server.fate = ({ method }) => {
        const number = below(4);
        if (number === 0) return "lose";
        if (number === 1 && method === "PATCH") return { cutAtByte: below(6 * MIB) };
        return number === 2 ? { status: 503, retryAfter: 0 } : "answer";
      };
      const result = await client(30).upload(new Blob([bytes]), { ...RESUMABLE, onProgress: () => undefined });
      expect(result.url).toContain(server.url);
      expect(stored()).toContain(sha(bytes));
      // Bytes that arrived are not sent again, so there are at most as many pieces as breaks.
      expect(server.asked.length).toBeLessThan(100);
    },
    60_000,
  );

  it("The client asks for the offset after a 409, and continues there", async () => {
    const bytes = randomBytes(MIB);
    server.fate = ({ method, path }, count) => {
      const upload = server.uploads.get(path);
      if (method === "PATCH" && count === 2 && upload) upload.bytes = bytes.subarray(0, 1000);
      return "answer";
    };
    await client().upload(new Blob([bytes]), RESUMABLE);
    expect(stored()).toEqual([sha(bytes)]);
    expect(server.asked.map(({ method }) => method)).toEqual(["POST", "PATCH", "HEAD", "PATCH"]);
  });

  it("An aborted upload resumes in another client from the stored state, which is then removed", async () => {
    const bytes = randomBytes(3 * MIB);
    const storage = memoryStorage();
    const file = () => new File([bytes], "a.mp4", { lastModified: 1 });
    const controller = new AbortController();
    server.fate = ({ method }) => {
      if (method !== "PATCH") return "answer";
      setTimeout(() => controller.abort(new Error("closed")), 50);
      return { cutAtByte: 1_000_000 };
    };
    await expect(client().upload(file(), { ...RESUMABLE, storage, signal: controller.signal })).rejects.toThrow(
      "closed",
    );
    expect(storage.items.size).toBe(1);
    // On a busy machine the client sends another piece before the abort.
    const storedBytes = [...server.uploads.values()][0]?.bytes.length;
    expect(storedBytes).toBeGreaterThanOrEqual(1_000_000);
    expect(storedBytes).toBeLessThan(bytes.length);
    server.fate = () => "answer";
    await client().upload(file(), { ...RESUMABLE, storage });
    expect(server.count("POST")).toBe(1);
    expect(stored()).toEqual([sha(bytes)]);
    expect(storage.items.size).toBe(0);
  });

  it("An upload resumes after its expired session is renewed", async () => {
    const bytes = randomBytes(2 * MIB);
    const storage = memoryStorage();
    const file = new File([bytes], "a.mp4", { lastModified: 1 });
    server.fate = ({ method }, count) =>
      method === "PATCH" && count === 2 ? { cutAtByte: MIB } : count === 3 ? { status: 401 } : "answer";
    await expect(client().upload(file, { ...RESUMABLE, storage })).rejects.toMatchObject({ statusCode: 401 });
    await client().upload(file, { ...RESUMABLE, storage });
    expect(server.count("POST")).toBe(1);
    expect(stored()).toEqual([sha(bytes)]);
  });

  it("An upload starts again when the service no longer knows it", async () => {
    const storage = memoryStorage();
    const file = new File([randomBytes(1000)], "a.mp4");
    await client().upload(file, { ...RESUMABLE, storage: { ...storage, removeItem: () => undefined } });
    server.uploads.clear();
    await client().upload(file, { ...RESUMABLE, storage });
    expect(server.count("POST")).toBe(2);
    expect(server.uploads.size).toBe(1);
    expect(storage.items.size).toBe(0);
  });

  it.each(["aborted without a storage", "discarded"])(
    "An upload that is %s is removed from the service",
    async (how) => {
      const storage = how === "discarded" ? memoryStorage() : undefined;
      const file = new File([randomBytes(MIB)], "a.mp4");
      const controller = new AbortController();
      server.fate = ({ method }) => {
        if (method === "PATCH") setTimeout(() => controller.abort(), 50);
        return method === "PATCH" ? { status: 503, retryAfter: 100 } : "answer";
      };
      await expect(client().upload(file, { ...RESUMABLE, storage, signal: controller.signal })).rejects.toThrow();
      if (storage !== undefined) await client().discard(file, { storage });
      await expect.poll(() => server.uploads.size).toBe(0);
      expect(storage?.items.size ?? 0).toBe(0);
    },
  );

  it("A file on disk can be uploaded", async () => {
    const folder = await mkdtemp(join(tmpdir(), "client-"));
    const bytes = randomBytes(MIB);
    await writeFile(join(folder, "on disk.mp4"), bytes);
    await client().upload(await openFile(join(folder, "on disk.mp4")), RESUMABLE);
    await rm(folder, { recursive: true });
    expect(stored()).toEqual([sha(bytes)]);
    expect([...server.uploads.values()][0]?.metadata.filename).toBe("on disk.mp4");
  });
});

describe("bytes", () => {
  const bytes = randomBytes(1000);

  it.each([
    ["a Buffer", bytes],
    ["a Uint8Array", new Uint8Array(bytes)],
    ["an ArrayBuffer", new Uint8Array(bytes).buffer],
    ["a part of a buffer", new DataView(new Uint8Array(Buffer.concat([bytes, bytes])).buffer, 1000)],
  ])("Bytes as %s are uploaded under the given name", async (_, source) => {
    await client().upload(source, { name: "a.png" });
    await client().upload(source, { ...RESUMABLE, name: "b.png" });
    const [form] = server.forms.values();
    expect(form?.toString("latin1")).toContain('filename="a.png"');
    expect(form?.includes(bytes)).toBe(true);
    expect(stored()).toEqual([sha(bytes)]);
  });

  it.each([
    ["image/jpeg", "untitled.jpg"],
    ["image/png", "untitled.png"],
    ["video/quicktime", "untitled.mov"],
    ["video/x-msvideo", "untitled.avi"],
    ["video/mp4; codecs=avc1", "untitled.mp4"],
    ["application/pdf", "untitled"],
    ["", "untitled"],
  ])("Bytes without a name, of type %j, are named %s", async (type, name) => {
    const blob = new Blob([bytes], { type });
    await client().upload(blob);
    await client().upload(blob, RESUMABLE);
    expect([...server.forms.values()].toString()).toContain(`filename="${name}"`);
    expect([...server.uploads.values()][0]?.metadata.filename).toBe(name);
  });

  it("Bytes without a time of change never resume an earlier upload of the same size", async () => {
    const storage = memoryStorage();
    server.fate = ({ method }) => (method === "PATCH" ? { status: 415 } : "answer");
    const options = { ...RESUMABLE, storage, name: "a.mp4" };
    await expect(client().upload(randomBytes(1000), options)).rejects.toMatchObject({ statusCode: 415 });
    server.fate = ({ method }) => (method === "PATCH" ? { status: 503, retryAfter: 200 } : "answer");
    await expect(client().upload(randomBytes(1000), options)).rejects.toMatchObject({ statusCode: 503 });
    expect(storage.items.size).toBe(0);
  });
});

describe("streams", () => {
  /** Yields the pieces one by one and keeps none. */
  async function* pieces(count: number, sizeBytes: number, seed = 1) {
    const below = dice(seed);
    for (let at = 0; at < count; at += 1) yield Buffer.alloc(sizeBytes, below(256));
  }
  const hashOf = async (stream: AsyncIterable<Uint8Array>) => {
    const hash = createHash("sha256");
    for await (const piece of stream) hash.update(piece);
    return hash.digest("hex");
  };
  const web = (source: AsyncIterable<Uint8Array>) =>
    Readable.toWeb(Readable.from(source)) as unknown as ReadableStream<Uint8Array>;

  it.each([
    ["of the web", web],
    ["of Node", (source: AsyncIterable<Uint8Array>) => Readable.from(source, { objectMode: false })],
    ["of a generator", (source: AsyncIterable<Uint8Array>) => source],
  ])("A long stream %s is sent in pieces, and its length with the last piece", async (_, open) => {
    const told: object[] = [];
    await client().upload(open(pieces(70, 300_000)), {
      name: "a.mp4",
      tags: ["x"],
      onProgress: (progress) => void told.push(progress),
    });
    expect(stored()).toEqual([await hashOf(pieces(70, 300_000))]);
    expect([...server.uploads.values()][0]?.metadata).toEqual({ filename: "a.mp4", tags: "x" });
    expect(server.asked.map(({ headers }) => headers["upload-defer-length"])).toEqual([
      "1",
      ...Array(3).fill(undefined),
    ]);
    expect(server.asked.map(({ headers }) => headers["upload-length"])).toEqual([
      ...Array(3).fill(undefined),
      "21000000",
    ]);
    expect(told).toEqual([0, 8 * MIB, 16 * MIB].map((sentBytes) => ({ sentBytes, totalBytes: Infinity })));
  });

  it.each([8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 16 * MIB])("A stream of %d bytes arrives whole", async (sizeBytes) => {
    const bytes = randomBytes(sizeBytes);
    await client().upload(Readable.from([bytes.subarray(0, 5), new Uint8Array(), bytes.subarray(5)]), RESUMABLE);
    expect(stored()).toEqual([sha(bytes)]);
  });

  it("A short stream is sent as a form, and sent again when its answer is lost", async () => {
    server.fate = (_, count) => (count === 1 ? "lose" : "answer");
    await client().upload(web(pieces(3, 1000)), { name: "a.png" });
    expect(server.count("POST")).toBe(2);
    expect(server.forms.size).toBe(1);
    expect([...server.forms.values()].toString()).toContain('filename="a.png"');
  });

  it("A Node stream that reads a file gets the file's name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "client-"));
    await writeFile(join(folder, "on disk.png"), "picture");
    await client().upload(createReadStream(join(folder, "on disk.png")));
    await client().upload(Readable.from([Buffer.from("picture")]));
    await rm(folder, { recursive: true });
    const forms = [...server.forms.values()].map(String);
    expect(forms[0]).toContain('filename="on disk.png"');
    expect(forms[1]).toContain('filename="untitled"');
  });

  it.each([1, 2])(
    "A stream arrives whole although its connections break (seed %d)",
    async (seed) => {
      const below = dice(seed);
      server.fate = ({ method }) => {
        const number = below(4);
        if (number === 0) return "lose";
        if (number === 1 && method === "PATCH") return { cutAtByte: below(8 * MIB) };
        return number === 2 ? { status: 503, retryAfter: 0 } : "answer";
      };
      await client(30).upload(pieces(100, 200_000, seed));
      expect(stored()).toContain(await hashOf(pieces(100, 200_000, seed)));
    },
    60_000,
  );

  it("A stream is read no faster than it is sent, with only one piece in memory", async () => {
    let read = 0;
    let most = 0;
    async function* source() {
      for await (const piece of pieces(600, 100_000)) {
        read += piece.length;
        const sent = [...server.uploads.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
        most = Math.max(most, read - sent);
        yield piece;
      }
    }
    await client().upload(source());
    expect(read).toBe(60_000_000);
    expect(most).toBeLessThanOrEqual(8 * MIB + 100_000);
  });

  it("A stream whose source fails ends the upload with the source's error", async () => {
    const failure = new Error("the camera was unplugged");
    async function* source() {
      yield* pieces(30, 1_000_000);
      throw failure;
    }
    await expect(client().upload(source())).rejects.toBe(failure);
    await expect.poll(() => server.uploads.size).toBe(0);
    expect(server.count("POST")).toBe(1);
    const outcomes = await client().uploadAll([source(), new File(["x"], "a.png")]);
    expect(outcomes).toMatchObject([
      { error: { message: "Error: the camera was unplugged" } },
      { url: expect.any(String) },
    ]);
  });

  it.each([
    ["of Node", () => new PassThrough()],
    ["of the web", () => new ReadableStream<Uint8Array>()],
    ["of a generator", () => pieces(1, 1)],
  ])("A silent stream %s is cancelled when the upload is aborted", async (kind, open) => {
    const stream = open();
    if (kind === "of a generator") (stream as AsyncGenerator).next = () => new Promise(() => undefined);
    const reason = new Error("enough");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 100);
    await expect(client().upload(stream, { signal: controller.signal })).rejects.toBe(reason);
    if (stream instanceof PassThrough) expect(stream.destroyed).toBe(true);
    expect(server.asked).toEqual([]);
  });

  it.each([
    ["text", Readable.from(["text"])],
    ["text", new Blob(["text"]).stream().pipeThrough(new TextDecoderStream())],
  ])("A stream of %s is refused before anything is sent", async (_, stream) => {
    await expect(client().upload(stream as AsyncIterable<never>)).rejects.toThrow(
      "Pass a stream of bytes (Uint8Array)",
    );
    expect(server.asked).toEqual([]);
  });
});

describe("invalid sources", () => {
  it.each([
    ["photo.jpg", "String"],
    [undefined, "undefined"],
    [null, "undefined"],
    [7, "Number"],
    [Promise.resolve(new Blob()), "Promise"],
    [[new Blob()], "Array"],
    [Object.create(null), "undefined"],
  ])(
    "An invalid source (%j) is refused before anything is sent, and the message names valid sources",
    async (source, type) => {
      const message = `Pass a File, a Blob, bytes or a stream, not ${type}. In Node: openFile(path)`;
      await expect(client().upload(source as never)).rejects.toThrow(message);
      await expect(client().uploadAll([new Blob(["x"]), source as never])).rejects.toThrow(TypeError);
      expect(server.asked).toEqual([]);
    },
  );
});

describe("unreachable services", () => {
  it("The error for an unreachable service has its address and the reason, but no key and no query", async () => {
    const free = createServer().listen(0, "127.0.0.1");
    await new Promise((listening) => free.once("listening", listening));
    const { port } = free.address() as { port: number };
    await new Promise((closed) => free.close(closed));
    const host = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: "service_live_x", retries: 0 });
    const [first, second] = await Promise.all(
      [host.imagePage({ q: "secret" }), host.upload(new Blob(["x"]))].map((call) =>
        call.catch((error: unknown) => error),
      ),
    );
    expect(first).toMatchObject({
      message: `http://127.0.0.1:${port}/images could not be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
      statusCode: 0,
      cause: { cause: { code: "ECONNREFUSED" } },
    });
    expect(String(second)).toContain(
      `http://127.0.0.1:${port}/images/upload could not be reached: connect ECONNREFUSED`,
    );
    await expect(createClient({ baseUrl: `http://localhost:${port}`, retries: 0 }).health()).rejects.toThrow(
      /^http:\/\/localhost:\d+\/health could not be reached: .*ECONNREFUSED/,
    );
  });

  it("An address that answers with a web page is reported as another service", async () => {
    server.files.set("/stats/overview", { type: "text/html", content: "<!doctype html>" });
    const call = createClient({ baseUrl: server.url, retries: 0 }).stats();
    await expect(call).rejects.toThrow(`${server.url}/stats/overview gave no JSON`);
  });

  it.each(["service_live_\n_x", "service_live_ü", "service_live_–"])(
    "A key that cannot be sent (%j) is refused at once, and no message contains it",
    async (key) => {
      const error = await createClient({ baseUrl: server.url, key })
        .health()
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ statusCode: 401, retryable: false });
      expect(String(error)).not.toContain("service_live_");
      await createClient({ baseUrl: server.url, key: "service_live_x\n" }).upload(new Blob(["x"]));
    },
  );
});

describe("many files", () => {
  it("Many files are sent a few at a time, and a failure stops none of the others", async () => {
    let open = 0;
    let most = 0;
    server.fate = (_, count) => (count === 2 ? { status: 415 } : "answer");
    const files = Array.from({ length: 8 }, (_, at) => new File([`${at}`], `${at}.png`));
    const counted = new Set<unknown>();
    const outcomes = await client().uploadAll(files, {
      concurrency: 2,
      onProgress: (file, { sentBytes }) => {
        if (sentBytes === 0) most = Math.max(most, ++open);
        else if (!counted.has(file)) open -= 1;
        if (sentBytes > 0) counted.add(file);
      },
    });
    expect(outcomes).toHaveLength(8);
    expect(outcomes.filter((outcome) => "error" in outcome)).toMatchObject([{ error: { statusCode: 415 } }]);
    expect(most).toBeLessThanOrEqual(3);
    expect(server.forms.size).toBe(7);
  });
});
