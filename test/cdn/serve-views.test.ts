import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CdnEnv } from "../../src/cdn/env.ts";
import type { JournaledView } from "../../src/cdn/journal-store.ts";
import cdnWorker from "../../src/cdn/worker.ts";
import { signPreview } from "../../src/domain/preview-token.ts";
import {
  ACCOUNT_ID,
  bytesOf,
  cdnEnv,
  fetchFile,
  journals,
  observe,
  patternBytes,
  store,
  storeFile,
  THUMBNAIL_KEY,
  UPLOAD_ID,
} from "./harness.ts";

const BYTES = patternBytes(1000);

let file: Awaited<ReturnType<typeof store>>;
let thumbnail: Awaited<ReturnType<typeof store>>;

beforeAll(async () => {
  file = await storeFile("viewed été.mp4", BYTES);
  thumbnail = await store(THUMBNAIL_KEY, BYTES, "image/jpeg");
});

function unixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The Worker's whole answer, and its work after the answer. */
async function answerOf(url: string, replaced: Partial<CdnEnv>) {
  const ctx = createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(url);
  const response = await cdnWorker.fetch(request, { ...cdnEnv, ...replaced }, ctx);
  const body = await bytesOf(response);
  await waitOnExecutionContext(ctx);
  return { response, body };
}

describe("Views", () => {
  it("A view names the account, the upload and the time", async () => {
    const before = Date.now();
    const views: JournaledView[] = [];
    const VIEW_JOURNAL = journals(async (view) => {
      views.push(view);
      return "recorded";
    });
    await answerOf(file.url, { VIEW_JOURNAL });
    expect(views).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        at: expect.any(Number),
        accountId: ACCOUNT_ID,
        resourceId: UPLOAD_ID,
        bytes: expect.any(Number),
      },
    ]);
    expect(views[0]?.at).toBeGreaterThanOrEqual(before);
    expect(views[0]?.at).toBeLessThanOrEqual(Date.now());
  });

  it("A view of a thumbnail counts as well", async () => {
    const { views } = await observe(thumbnail.url);
    expect(views).toMatchObject([{ accountId: ACCOUNT_ID, uploadId: UPLOAD_ID }]);
  });

  it.each<[string, Record<string, string>, number]>([
    ["GET", {}, 1],
    ["GET", { Range: "bytes=0-" }, 1],
    ["GET", { Range: "bytes=0-0" }, 1],
    ["GET", { Range: "bytes=0-2" }, 1],
    ["GET", { Range: "bytes=-1000" }, 1],
    ["GET", { Range: "bytes=-5000" }, 1],
    ["GET", { Range: "bytes=0-1,5-6" }, 1],
    ["GET", { Range: "bytes=9-3" }, 1],
    ["GET", { Range: "bytes=500-", "If-Range": '"other"' }, 1],
    ["GET", { "If-Match": "*" }, 1],
    ["GET", { Range: "bytes=0-1", "If-Range": '"other"' }, 1],
    // A player's probe.
    ["GET", { Range: "bytes=0-1" }, 0],
    ["GET", { Range: "bytes=,0-1" }, 0],
    ["GET", { Range: "bytes=1-" }, 0],
    ["GET", { Range: "bytes=-999" }, 0],
    ["GET", { Range: "bytes=1000-" }, 0],
    ["GET", { "If-None-Match": "*" }, 0],
    ["GET", { "If-Match": '"other"' }, 0],
    ["HEAD", {}, 0],
    ["HEAD", { Range: "bytes=0-" }, 0],
    ["OPTIONS", {}, 0],
    ["POST", {}, 0],
  ])("A request %s %j counts %i times", async (method, headers, expected) => {
    const { views } = await observe(file.url, { method, headers });
    expect(views).toHaveLength(expected);
  });

  it("Recording a view does not delay the viewer", async () => {
    let release = () => {};
    const recording = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pending: Promise<unknown>[] = [];
    const VIEW_JOURNAL = journals(async () => {
      await recording;
      return "recorded";
    });
    const response = await cdnWorker.fetch(new Request(file.url), { ...cdnEnv, VIEW_JOURNAL }, {
      waitUntil: (promise: Promise<unknown>) => void pending.push(promise),
    } as unknown as ExecutionContext);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(BYTES);
    expect(pending).toHaveLength(1);
    release();
    await Promise.all(pending);
  });

  it("A failure to record a view costs the count, not the answer", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const failures = [
      () => Promise.reject(new Error("all is gone")),
      () => {
        throw new Error("all is gone");
      },
    ];
    for (const send of failures) {
      const VIEWS = { send } as unknown as CdnEnv["VIEWS"];
      const replaced = { VIEWS, VIEW_JOURNAL: journals(send) };
      const { response, body } = await answerOf(`${file.url}?preview=1.forged`, replaced);
      expect(response.status).toBe(200);
      expect(body).toEqual(BYTES);
    }
    const lines = logged.mock.calls.map(([line]) => String(line));
    logged.mockRestore();
    expect(lines.map((line) => JSON.parse(line).error.message)).toEqual(Array(4).fill("all is gone"));
    const written = lines.join("\n");
    expect(written).not.toContain("preview=");
    expect(written).not.toContain(cdnEnv.PREVIEW_SECRET);
  });
});

describe("Signed previews", () => {
  it.each<Record<string, string>>([{}, { Range: "bytes=0-9" }])(
    "A signed preview is served and not counted: %j",
    async (headers) => {
      const token = await signPreview(cdnEnv.PREVIEW_SECRET, file.objectKey, unixSeconds() + 60);
      const { response, body, operations, views } = await observe(`${file.url}?x=1&preview=${token}`, { headers });
      expect(response.ok).toBe(true);
      expect(body).toEqual("Range" in headers ? BYTES.slice(0, 10) : BYTES);
      expect(operations).toEqual(["get"]);
      expect(views).toEqual([]);
    },
  );

  it("A signed file is never cached; a signed thumbnail only by the browser, for a day", async () => {
    const headersOfEach: RequestInit[] = [{}, { method: "HEAD" }, { headers: { "If-None-Match": "*" } }];
    for (const [{ url, objectKey }, policy] of [
      [file, "private, no-store, no-transform"],
      [thumbnail, "private, max-age=86400"],
    ] as const) {
      const token = await signPreview(cdnEnv.PREVIEW_SECRET, objectKey, unixSeconds() + 60);
      for (const init of headersOfEach) {
        const response = await fetchFile(`${url}?preview=${token}`, init);
        await bytesOf(response);
        expect(response.headers.get("Cache-Control")).toBe(policy);
      }
    }
  });

  it("A token of either value of `PREVIEW_SECRET` makes no view until the older value ends", async () => {
    const views = async (secret: string, newerFrom: number) => {
      const token = await signPreview(secret, file.objectKey, unixSeconds() + 60);
      const replaced = { PREVIEW_SECRET_2: `${newerFrom}.rotated` };
      return (await observe(`${file.url}?preview=${token}`, undefined, replaced)).views.length;
    };
    const { PREVIEW_SECRET: old } = cdnEnv;
    for (const newerFrom of [unixSeconds() + 3600, unixSeconds() - 60]) {
      expect([await views(old, newerFrom), await views(`${newerFrom}.rotated`, newerFrom)]).toEqual([0, 0]);
    }
    const ended = unixSeconds() - 3 * 86_400 - 60;
    expect([await views(old, ended), await views(`${ended}.rotated`, ended)]).toEqual([1, 0]);
  });

  it("A token that is expired, forged or of another file makes an ordinary view", async () => {
    const secret = cdnEnv.PREVIEW_SECRET;
    const tokens = [
      await signPreview(secret, file.objectKey, unixSeconds() - 1),
      await signPreview(`${secret}x`, file.objectKey, unixSeconds() + 60),
      await signPreview(secret, thumbnail.objectKey, unixSeconds() + 60),
      "",
      "1.2",
      "%zz",
      "x".repeat(10_000),
    ];
    for (const token of tokens) {
      const { response, body, views } = await observe(`${file.url}?preview=${token}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=300, no-transform");
      expect(body).toEqual(BYTES);
      expect(views).toHaveLength(1);
    }
  });
});
