import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { objectUrl } from "../../../src/domain/object-key.ts";
import { signPreview, verifyPreview } from "../../../src/domain/preview-token.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import { serveSource } from "../../../src/processor/serve-source.ts";
import { SOURCE_ORIGIN } from "../../../src/processor/source-origin.ts";
import { readMeter, usageOf } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { mp4 } from "../../support/media/samples.ts";
import { answer, impossible, made, type Processor, remembering } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored, toVideo } from "../../support/thumbnails/queue.ts";
import { storeVideo } from "../../support/thumbnails/state.ts";

/** The CDN Worker's (test/support/api/api-worker.ts): this Worker's may come from .dev.vars. */
const CDN_SECRETS = { PREVIEW_SECRET: "test-preview-secret-0123456789abcdef" };

async function usage(account: TestAccount) {
  return usageOf(await call("/account", { headers: bearer(account.token) }));
}

describe("Source URL of a video", () => {
  it("The processor's URL of a video is signed, for this video only and for minutes", async () => {
    const video = await storeVideo((await openAccount()).id);
    const { processor, tasks } = remembering();
    await deliverOne(stored(video), { processor });
    const [{ source } = { source: new URL("about:blank") }] = tasks;
    expect(source.origin).toBe("http://files.media-host.internal");
    expect(decodeURIComponent(source.pathname)).toBe(`/${video.objectKey}`);
    const token = source.searchParams.get("preview") ?? "";
    const now = Date.now() / 1000;
    const holds = (key: string, at: number) => verifyPreview(onlySecret(env.PREVIEW_SECRET), key, token, at);
    expect(await holds(video.objectKey, now)).toBe(true);
    expect(await holds(video.objectKey, now + 120)).toBe(true);
    expect(await holds(video.objectKey, now + 3600)).toBe(false);
    expect(await holds(`${video.objectKey}2`, now)).toBe(false);
  });

  it("The processor's URL of a video may have any name in it", async () => {
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

  it("The processor's reads of a video never count as views", async () => {
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
    // A view made afterwards is counted; the others would have been counted before.
    await (await call(`/${video.objectKey}`)).arrayBuffer();
    await expect.poll(async () => (await usage(account)).operations, { timeout: 10_000, interval: 250 }).toBe(1.1);
    const { operations } = await readMeter(account.id);
    expect(operations.filter(({ type }) => type === "view")).toHaveLength(1);
  });
});

describe("Processor at an address", () => {
  it.each(["http://127.0.0.1:8787", "http://127.0.0.1:8787/"])(
    "A processor at an address reads videos at %s",
    async (MEDIA_SOURCE_URL) => {
      const sources: string[] = [];
      const server = vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
        sources.push(String(JSON.parse(String(init?.body)).source));
        return made();
      });
      const video = await storeVideo((await openAccount()).id);
      const replaced = { MEDIA_PROCESSOR_URL: "http://127.0.0.1:9", MEDIA_SOURCE_URL };
      expect(await deliverOne(stored(video), { processor: () => made(), replaced })).toBe("acked");
      server.mockRestore();
      expect(sources).toEqual([expect.stringMatching(`^http://127\\.0\\.0\\.1:8787/${video.objectKey}\\?preview=`)]);
    },
  );
});

describe("Container requests to the Worker", () => {
  const ask = (url: string, init?: RequestInit) => serveSource(new Request(url, init), { ...env, ...CDN_SECRETS });
  const sign = (key: string, expiresIn = 60, secret = CDN_SECRETS.PREVIEW_SECRET) =>
    signPreview(secret, key, Math.ceil(Date.now() / 1000) + expiresIn);
  const urlOf = (key: string, token: string) => `${objectUrl(SOURCE_ORIGIN, key)}?preview=${token}`;

  it("The Container's request is answered with the ranges of its video", async () => {
    const account = await openAccount();
    const bytes = mp4(5000);
    const { filename } = await uploadOne(account.token, { name: "50% off? #1 & 'é' ☃.mp4", bytes });
    const url = urlOf(filename, await sign(filename));
    const part = await ask(url, { headers: { Range: "bytes=10-19", Host: "elsewhere.example" } });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, "bytes 10-19/5000"]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10, 20));
    const behind = await ask(url, { headers: { Range: "bytes=5000-" } });
    expect(behind.status).toBe(416);
    await behind.arrayBuffer();
  });

  it("The Container's request for every other file, method and address is refused", async () => {
    const [own, other] = await Promise.all(
      [openAccount(), openAccount()].map(async (account) => storeVideo((await account).id)),
    );
    const key = own?.objectKey ?? "";
    const foreign = other?.objectKey ?? "";
    const refused: [number, string, RequestInit?][] = [
      [403, objectUrl(SOURCE_ORIGIN, foreign)],
      [403, urlOf(foreign, await sign(key))],
      [403, urlOf(key, await sign(key, -1))],
      [403, urlOf(key, await sign(key, 60, "another secret"))],
      [403, `${SOURCE_ORIGIN}/%zz?preview=${await sign("%zz")}`],
      [403, `${SOURCE_ORIGIN}/`],
      [403, `${SOURCE_ORIGIN}/images`],
      [405, urlOf(key, await sign(key)), { method: "POST", body: "x" }],
      [405, urlOf(key, await sign(key)), { method: "HEAD" }],
      [404, urlOf("images", await sign("images"))],
    ];
    for (const [status, url, init] of refused) {
      const response = await ask(url, init);
      await response.arrayBuffer();
      expect([url, response.status]).toEqual([url, status]);
    }
  });
});

describe("Container instances", () => {
  const instances = (statuses: readonly number[]) => {
    const asked: string[] = [];
    const getByName = (name: string) => ({
      fetch: async () => {
        asked.push(name);
        const status = statuses[asked.length - 1] ?? 500;
        return status === 200 ? made() : new Response("busy", { status });
      },
    });
    return { asked, replaced: { MEDIA_PROCESSOR: { getByName } as unknown as Env["MEDIA_PROCESSOR"] } };
  };
  const deliverTo = async ({ replaced }: ReturnType<typeof instances>) =>
    deliverOne(stored(await storeVideo((await openAccount()).id)), { processor: () => made(), replaced });

  it("Container instances are called in the same order, the next only if one is busy", async () => {
    for (const [statuses, count, outcome] of [
      [[200], 1, "acked"],
      [[200], 1, "acked"],
      [[503, 200], 2, "acked"],
      [[503, 503, 200], 3, "acked"],
      [[503, 503, 503, 200], 3, "retried"],
      [[500, 200], 1, "retried"],
      [[504, 200], 1, "retried"],
    ] as const) {
      const world = instances(statuses);
      expect(await deliverTo(world)).toBe(outcome);
      const names = ["media-processor-0", "media-processor-1", "media-processor-2"];
      expect(world.asked).toEqual(names.slice(0, count));
    }
  });
});

describe("Log", () => {
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

  it("The log of a failed thumbnail names the upload, and no signed URL or secret", async () => {
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
