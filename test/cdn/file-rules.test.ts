import { beforeEach, describe, expect, it } from "vitest";
import type { FileRules } from "../../src/domain/file-rules.ts";
import { fileKey } from "../../src/domain/object-key.ts";
import { signPreview } from "../../src/domain/preview-token.ts";
import { cdnEnv, ORIGIN, observe, patternBytes, setRules as setRulesOf, store, UPLOAD_ID } from "./harness.ts";

const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x1yr";

let url: string;

/** Each zone has its own cache, so that no test sees the rules of another. */
async function setRules(rules: FileRules): Promise<string> {
  await setRulesOf(ACCOUNT_ID, rules);
  return url.replace(ORIGIN, `https://${crypto.randomUUID()}.example.com`);
}

beforeEach(async () => {
  ({ url } = await store(fileKey(ACCOUNT_ID, UPLOAD_ID, "rules.mp4"), patternBytes(1000), "video/mp4"));
});

describe("A suspended account", () => {
  it("The files of a suspended account are not served, and count no view", async () => {
    const own = await setRules({ suspended: true });
    for (const method of ["GET", "HEAD"]) {
      const { response, views } = await observe(own, { method });
      expect(response.status).toBe(403);
      expect(views).toEqual([]);
    }
    const { body, response } = await observe(own);
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ statusCode: 403, code: "files_suspended" });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it("A signed preview of a suspended account is not served either", async () => {
    const own = await setRules({ suspended: true });
    const key = decodeURIComponent(new URL(own).pathname.slice(1));
    const token = await signPreview(cdnEnv.PREVIEW_SECRET, key, Math.ceil(Date.now() / 1000) + 60);
    expect((await observe(`${own}?preview=${token}`)).response.status).toBe(403);
  });
});

describe("Hotlink rules", () => {
  const hotlink = { allowedHosts: ["shop.example", "*.blog.example"], allowEmptyReferer: false };

  it.each([
    ["https://shop.example/page", 200],
    ["https://www.blog.example/", 200],
    ["https://blog.example/", 403],
    ["https://evil.example/?shop.example", 403],
    ["https://notshop.example/", 403],
    ["not a URL", 403],
    [undefined, 403],
  ])("A page at %s gets %d from an account with a hotlink rule", async (referer, status) => {
    const own = await setRules({ hotlink });
    const { response } = await observe(own, referer === undefined ? {} : { headers: { Referer: referer } });
    expect(response.status).toBe(status);
  });

  it("A request without a Referer is served if the owner's hotlink rule allows it", async () => {
    const own = await setRules({ hotlink: { ...hotlink, allowEmptyReferer: true } });
    expect((await observe(own)).response.status).toBe(200);
  });

  it("The file's own page, the dashboard and a signed preview may show a file in spite of a hotlink rule", async () => {
    const own = await setRules({ hotlink: { ...hotlink, serviceHost: "dash.example" } });
    for (const referer of [own, "https://dash.example/library"]) {
      expect((await observe(own, { headers: { Referer: referer } })).response.status).toBe(200);
    }
    const key = decodeURIComponent(new URL(own).pathname.slice(1));
    const token = await signPreview(cdnEnv.PREVIEW_SECRET, key, Math.ceil(Date.now() / 1000) + 60);
    const { response } = await observe(`${own}?preview=${token}`, { headers: { Referer: "https://evil.example/" } });
    expect(response.status).toBe(200);
  });
});
