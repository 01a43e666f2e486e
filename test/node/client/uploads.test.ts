import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, MediaHostError } from "../../../src/client/index.ts";
import { openFile } from "../../../src/client/node.ts";
import { TusServer } from "../../support/client/tus-server.ts";

// The client's uploads in Node, over connections that break for real.

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

/** Numbers from 0 up to `below` that a seed decides (Park and Miller). */
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

describe("a form", () => {
  it.each(["lose", "cut"])(
    "whose answer is lost (%s) is sent again under the same key, and stored once",
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
  ])("that is %d waits the %d seconds that the service asks for", async (status, retryAfter) => {
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
  ])("that is %d (Retry-After %s) is not sent again", async (status, retryAfter) => {
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

  it("is sent once by who tries again itself, under a key of its own, and every answer is told", async () => {
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

  it("is given up after the tries that were asked for, and without an answer has status 0", async () => {
    server.fate = () => "lose";
    const error = await client(1)
      .upload(new Blob(["x"]))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ statusCode: 0, retryable: true });
    expect(server.asked).toHaveLength(2);
  });

  it("ends with the signal's reason, also while it waits", async () => {
    server.fate = () => ({ status: 503, retryAfter: 100 });
    const reason = new Error("enough");
    await expect(client().upload(new Blob(["x"]), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 300);
    await expect(client().upload(new Blob(["x"]), { signal: controller.signal })).rejects.toBe(reason);
    expect(server.asked).toHaveLength(1);
  });
});

describe("a large file", () => {
  it("goes in pieces, with its name, folder and tags, and tells how far it is", async () => {
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
    "arrives whole however its connections break (seed %d)",
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
      // What has arrived is not sent again: no more pieces than breaks.
      expect(server.asked.length).toBeLessThan(100);
    },
    60_000,
  );

  it("asks for the offset after a 409, and goes on there", async () => {
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

  it("that was aborted goes on in another client, by what the storage remembers, and is forgotten then", async () => {
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
    expect([...server.uploads.values()][0]?.bytes.length).toBe(1_000_000);
    server.fate = () => "answer";
    await client().upload(file(), { ...RESUMABLE, storage });
    expect(server.count("POST")).toBe(1);
    expect(stored()).toEqual([sha(bytes)]);
    expect(storage.items.size).toBe(0);
  });

  it("goes on when a session is renewed that ended meanwhile", async () => {
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

  it("begins anew where the service knows nothing of it any more", async () => {
    const storage = memoryStorage();
    const file = new File([randomBytes(1000)], "a.mp4");
    await client().upload(file, { ...RESUMABLE, storage: { ...storage, removeItem: () => undefined } });
    server.uploads.clear();
    await client().upload(file, { ...RESUMABLE, storage });
    expect(server.count("POST")).toBe(2);
    expect(server.uploads.size).toBe(1);
    expect(storage.items.size).toBe(0);
  });

  it.each(["aborted without a storage", "discarded"])("that is %s is removed from the service", async (how) => {
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
  });

  it("can be one of the disk", async () => {
    const folder = await mkdtemp(join(tmpdir(), "client-"));
    const bytes = randomBytes(MIB);
    await writeFile(join(folder, "on disk.mp4"), bytes);
    await client().upload(await openFile(join(folder, "on disk.mp4")), RESUMABLE);
    await rm(folder, { recursive: true });
    expect(stored()).toEqual([sha(bytes)]);
    expect([...server.uploads.values()][0]?.metadata.filename).toBe("on disk.mp4");
  });
});

describe("many files", () => {
  it("are sent some at a time, and one that fails takes none of the others with it", async () => {
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
