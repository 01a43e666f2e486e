import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { verifyPreview } from "../../src/domain/preview-token.ts";
import { readMeter, usageOf } from "../support/account-state.ts";
import { bearer, call, openAccount, type TestAccount, type UploadResult, uploadOne } from "../support/api.ts";
import { mp4 } from "../support/samples.ts";
import { answer, impossible, made, type Processor, type ThumbnailTask } from "../support/thumbnail-processor.ts";
import { CDN_URL, deliverOne, type StoredVideo, stored } from "../support/thumbnail-queue.ts";
import { storeVideo } from "../support/thumbnail-state.ts";

/** The CDN Worker's (vitest.config.ts): this Worker's may come from .dev.vars. */
const CDN_SECRETS = { PREVIEW_SECRET: "test-preview-secret-0123456789abcdef" };

async function usage(account: TestAccount) {
  return usageOf(await call("/account", { headers: bearer(account.token) }));
}

function toVideo(account: TestAccount, { _id: uploadId, filename: objectKey }: UploadResult): StoredVideo {
  return { accountId: account.id, uploadId, objectKey };
}

/** Remembers what it was asked for. */
function remembering(): { processor: Processor; tasks: ThumbnailTask[] } {
  const tasks: ThumbnailTask[] = [];
  const processor: Processor = (task) => {
    tasks.push(task);
    return made();
  };
  return { processor, tasks };
}

describe("the address that the processor reads a video at", () => {
  it("is signed, for this video alone and for minutes", async () => {
    const video = await storeVideo((await openAccount()).id);
    const { processor, tasks } = remembering();
    await deliverOne(stored(video), { processor });
    const [{ source } = { source: new URL("about:blank") }] = tasks;
    expect(source.origin).toBe(CDN_URL);
    expect(decodeURIComponent(source.pathname)).toBe(`/${video.objectKey}`);
    const token = source.searchParams.get("preview") ?? "";
    const now = Date.now() / 1000;
    const holds = (key: string, at: number) => verifyPreview(env.PREVIEW_SECRET, key, token, at);
    expect(await holds(video.objectKey, now)).toBe(true);
    expect(await holds(video.objectKey, now + 120)).toBe(true);
    expect(await holds(video.objectKey, now + 3600)).toBe(false);
    expect(await holds(`${video.objectKey}2`, now)).toBe(false);
  });

  it("may have any name in it", async () => {
    const account = await openAccount();
    const bytes = mp4(5000);
    const result = await uploadOne(account.token, { name: "50% off? #1 & 'é' ☃.mp4", bytes });
    const processor: Processor = async ({ source }) => {
      const response = await env.CDN.fetch(source);
      expect(response.status).toBe(200);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
      return made();
    };
    expect(await deliverOne(stored(toVideo(account, result)), { processor })).toBe("acked");
  });

  it("counts no view, however often it is read", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    const processor: Processor = async ({ source }) => {
      for (const range of ["bytes=0-99", "bytes=0-", "bytes=1000-1999", "bytes=-10"]) {
        const response = await env.CDN.fetch(source, { headers: { Range: range } });
        expect(response.status).toBe(206);
        await response.arrayBuffer();
      }
      await (await env.CDN.fetch(source)).arrayBuffer();
      return made();
    };
    expect(await deliverOne(stored(video), { processor, replaced: CDN_SECRETS })).toBe("acked");
    // A view made afterwards is counted: by then the others would have been.
    await (await call(`/${video.objectKey}`)).arrayBuffer();
    await expect.poll(async () => (await usage(account)).operations, { timeout: 10_000, interval: 250 }).toBe(1.1);
    const { operations } = await readMeter(account.id);
    expect(operations.filter(({ type }) => type === "view")).toHaveLength(1);
  });
});

describe("the log", () => {
  let output: MockInstance[];

  beforeEach(() => {
    output = (["debug", "error", "info", "log", "warn"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
  });

  afterEach(() => vi.restoreAllMocks());

  const logged = () =>
    output
      .flatMap(({ mock }) => mock.calls.flat())
      .map((value) => {
        return value instanceof Error ? `${value.stack} ${value.cause} ${JSON.stringify(value)}` : String(value);
      });

  it("names the upload of a thumbnail that failed, but neither its signed address nor a secret", async () => {
    const video = await storeVideo((await openAccount()).id);
    let source = "";
    const fetchFails: Processor = (task) => {
      source = task.source.href;
      return Promise.reject(new TypeError("Network connection lost."));
    };
    const processors: Processor[] = [
      fetchFails,
      ({ source }) => new Response(`cannot read ${source}`, { status: 502 }),
      ({ source }) => answer(`cannot read ${source}`),
      ({ source }) => new Response(`cannot read ${source}`, { status: 422 }),
      ({ source }) => impossible(`cannot read ${source}`),
    ];
    for (const [index, processor] of processors.entries()) await deliverOne(stored(video, index + 1), { processor });
    const token = new URL(source).searchParams.get("preview") ?? "";
    const lines = logged().join("\n");
    expect(lines).toContain(video.uploadId);
    for (const secret of [token, "preview=", env.PREVIEW_SECRET, env.JWT_SECRET, env.ADMIN_TOKEN]) {
      expect(secret).not.toBe("");
      expect(lines).not.toContain(secret);
    }
  });
});
