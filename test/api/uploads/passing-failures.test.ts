import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/domain/ids.ts";
import { retryBucket, retryQueue } from "../../../src/isolate/calls.ts";
import worker from "../../../src/worker.ts";
import { expectConsistent } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, callJson, openAccount } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { writePng } from "../../support/png/write-png.ts";

// Momentary failures of R2 and the queue are not visible to clients.

const CODES = ["(10001)", "(10043)", "(10058)"];

/** R2 whose every first call fails, before its effect or after it. */
function failingOnce(when: "before" | "after", code: string): R2Bucket {
  const wrap = <Store extends object>(store: Store): Store => {
    const failed = new Set<unknown>();
    return new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          const isFirst = !failed.has(name);
          failed.add(name);
          const fail = () => new Error(`${String(name)}: something ${code}`);
          if (isFirst && when === "before") throw fail();
          const result: unknown = await member.apply(target, args);
          if (isFirst && when === "after") throw fail();
          return name === "createMultipartUpload" ? wrap(result as object) : result;
        };
      },
    });
  };
  return wrap(env.FILES);
}

it.each(CODES.flatMap((code) => [["before", code] as const, ["after", code] as const]))(
  "R2 that fails once %s each call with %s is retried",
  async (when, code) => {
    const files = retryBucket(failingOnce(when, code));
    const key = newId(Date.now());
    await files.put(key, new Uint8Array(10));
    expect((await files.head(key))?.size).toBe(10);
    expect((await (await files.get(key))?.arrayBuffer())?.byteLength).toBe(10);
    await files.delete(key);
    expect(await files.head(key)).toBeNull();
    const upload = await files.createMultipartUpload(key);
    const part = await upload.uploadPart(1, new Uint8Array(100));
    expect((await upload.complete([part])).size).toBe(100);
    expect((await files.head(key))?.size).toBe(100);
    const aborted = await files.createMultipartUpload(`${key}-aborted`);
    await aborted.abort();
    await files.delete(key);
  },
);

it("R2's refusals and broken streams are not retried", async () => {
  let calls = 0;
  const refusing = new Proxy(env.FILES, {
    get: () => async () => {
      calls += 1;
      throw new Error(calls === 1 ? "put: Your metadata is too large. (10012)" : "put: internal error (10001)");
    },
  });
  await expect(retryBucket(refusing).put("a", "b")).rejects.toThrow("(10012)");
  await expect(retryBucket(refusing).put("a", new ReadableStream())).rejects.toThrow("(10001)");
  expect(calls).toBe(2);
});

it("A queue gets a message that it refused twice", async () => {
  let calls = 0;
  const queue = {
    send: async () => {
      calls += 1;
      if (calls < 3) throw new Error("Queue send failed: Too Many Requests");
    },
  } as unknown as Queue<string>;
  await retryQueue(queue).send("a");
  expect(calls).toBe(3);
});

describe("Uploads", () => {
  /** R2 whose every first put and every first part fails, even if its body has been read. */
  function failingPuts(moment: "before" | "after"): R2Bucket {
    const seen = new Set<unknown>();
    const once = async <T>(id: unknown, run: () => Promise<T>): Promise<T> => {
      const isFirst = !seen.has(id);
      seen.add(id);
      if (isFirst && moment === "before") throw new Error("put: internal error (10001)");
      const result = await run();
      if (isFirst) throw new Error("put: internal error (10001)");
      return result;
    };
    return new Proxy(env.FILES, {
      get: (target, name) => {
        const member = Reflect.get(target, name).bind(target);
        if (name === "put") return (key: string, ...rest: unknown[]) => once(key, () => member(key, ...rest));
        if (name !== "createMultipartUpload") return member;
        return async (...args: unknown[]) => {
          const upload: R2MultipartUpload = await member(...args);
          return {
            key: upload.key,
            uploadId: upload.uploadId,
            abort: () => upload.abort(),
            complete: (parts: R2UploadedPart[]) => once("complete", () => upload.complete(parts)),
            uploadPart: (number: number, body: Uint8Array) => once(number, () => upload.uploadPart(number, body)),
          };
        };
      },
    });
  }

  it.each(["before", "after"] as const)(
    "An upload is stored whole if each put and part fails once, %s it is done",
    async (moment) => {
      const account = await openAccount();
      const files = [png(1, 1, 3000), mp4(3_000_000), mp4(20_000_000)];
      const form = new FormData();
      for (const [n, bytes] of files.entries()) form.append("file", new File([bytes], `${n}.bin`));
      const ctx = createExecutionContext();
      const response = await worker.fetch(
        new Request(`${BASE_URL}/images/upload`, { method: "POST", headers: bearer(account.uploadKey), body: form }),
        { ...env, FILES: failingPuts(moment) },
        ctx,
      );
      await waitOnExecutionContext(ctx);
      expect(response.status).toBe(201);
      const { uploaded } = await response.json<{ uploaded: { url: string }[] }>();
      for (const [n, { url }] of uploaded.entries()) {
        const object = await env.FILES.get(new URL(url).pathname.slice(1));
        expect(Buffer.from((await object?.arrayBuffer()) ?? []).equals(files[n] ?? Buffer.alloc(0))).toBe(true);
      }
      await expectConsistent(account.id);
    },
  );

  it.each([
    ["held", "before", 40],
    ["held", "after", 40],
    ["streamed", "before", 1800],
    ["streamed", "after", 1800],
  ] as const)("An image that is %s is compressed if its put fails once, %s it is done", async (_, moment, side) => {
    const account = await openAccount();
    await callJson("PATCH", "/settings", account.token, { autoCompress: true });
    const noise = (x: number, y: number) => [(x * 7 + y * 13) & 255, (x ^ y) & 255, (x + y) & 255];
    const image = writePng({ width: side, height: side, colorType: 2, bitDepth: 8, pixel: noise });
    const form = new FormData();
    form.append("file", new File([new Uint8Array(image)], "a.png"));
    const ctx = createExecutionContext();
    const response = await worker.fetch(
      new Request(`${BASE_URL}/images/upload`, { method: "POST", headers: bearer(account.uploadKey), body: form }),
      { ...env, FILES: failingPuts(moment) },
      ctx,
    );
    await waitOnExecutionContext(ctx);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ compressed: true, originalFileSize: image.length });
    await expectConsistent(account.id);
  });
});
