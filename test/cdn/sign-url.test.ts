import { beforeAll, describe, expect, it } from "vitest";
import { sign, signUrl, src } from "../../src/client/images.ts";
import { createClient } from "../../src/client/index.ts";
import { fileKey, keyAs, objectUrl, thumbnailKey } from "../../src/domain/object-key.ts";
import { deriveSigningKey, formatSigningKey } from "../../src/domain/variants/signed-url.ts";
import { makePng } from "../support/media/make-png.ts";
import { cdnEnv, observe, setRules } from "./harness.ts";

// The client's signatures, as the CDN Worker judges them (PRIV-3).

const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x4ps";
const UPLOAD_ID = "01hzy3v7k9q4r5s6t7v8w9x4pu";
const KEY_ID = "01hzy3v7k9q4r5s6t7v8w9x4pk";
const PATH = fileKey(ACCOUNT_ID, UPLOAD_ID, "a photo's (1) ü.png");

let key: string;
let url: string;
let thumbnail: string;

beforeAll(async () => {
  await setRules(ACCOUNT_ID, { signingKeys: { [KEY_ID]: "site" }, variants: "signed" });
  key = formatSigningKey(await deriveSigningKey(cdnEnv.URL_SIGNING_SECRET, ACCOUNT_ID, KEY_ID));
  const png = await makePng(300, 200);
  for (const path of [PATH, thumbnailKey(ACCOUNT_ID, UPLOAD_ID)])
    await cdnEnv.FILES.put(keyAs(path, "private"), png, { httpMetadata: { contentType: "image/png" } });
  const origin = `https://${crypto.randomUUID()}.example.com`;
  [url, thumbnail] = [objectUrl(origin, PATH), objectUrl(origin, thumbnailKey(ACCOUNT_ID, UPLOAD_ID))];
});

const open = async (of: string) => (await observe(of)).response.status;

describe("sign()", () => {
  it("The client signs the URL of a private file, its thumbnail and its variants", async () => {
    expect(await open(url)).toBe(403);
    expect(await open(await sign(url, key))).toBe(200);
    expect(await open(await sign(thumbnail, key))).toBe(200);
    expect(await open(await sign(await signUrl(src(url, { width: 64 }), key), key))).toBe(200);
    expect(await open(await signUrl(src(await sign(url, key), { width: 65 }), key))).toBe(200);
    expect(await open(await sign(src(url, { width: 64 }), key))).toBe(403);
  });

  it("`sign` of a client does the same, without a request", async () => {
    const host = createClient({ baseUrl: "https://unreachable.example", fetch: () => Promise.reject(new Error("no")) });
    const signed = new URL(await host.sign(`${url}?download=1`, key, { expiresIn: 60 }));
    expect(signed.searchParams.get("download")).toBe("1");
    expect(Math.abs(Number(signed.searchParams.get("exp")) - Date.now() / 1000 - 60)).toBeLessThan(5);
    expect(await open(signed.href)).toBe(200);
  });

  it("A second signature replaces the first", async () => {
    const twice = new URL(await sign(await sign(url, key, { expiresIn: 1 }), key, { expiresIn: 600 }));
    expect(twice.searchParams.getAll("exp")).toHaveLength(1);
    expect(twice.searchParams.getAll("sig")).toHaveLength(1);
    expect(await open(twice.href)).toBe(200);
  });

  it("Another text than a key, and another URL than a file's, are refused", async () => {
    await expect(sign(url, "service_live_x")).rejects.toThrow(TypeError);
    await expect(sign("https://example.com/a.png", key)).rejects.toThrow(TypeError);
  });
});
