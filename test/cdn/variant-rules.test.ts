import { beforeEach, describe, expect, it } from "vitest";
import { signUrl } from "../../src/client/images.ts";
import type { FileRules, VariantMode } from "../../src/domain/file-rules.ts";
import { fileKey, objectUrl } from "../../src/domain/object-key.ts";
import { deriveSigningKey, formatSigningKey } from "../../src/domain/variants/signed-url.ts";
import { readHead } from "../../src/media/first-bytes.ts";
import { makePng } from "../support/media/make-png.ts";
import { cdnEnv, observe, setRules as setRulesOf } from "./harness.ts";

// The variants that the owner's rules allow (VAR-7), presets (VAR-8) and signed URLs (VAR-9).

const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x2yr";
const SOURCE = await makePng(300, 200);

let url: string;
let uploads = 0;

beforeEach(async () => {
  const uploadId = `01hzy3v7k9q4r5s6t7v8b9${String(uploads++).padStart(4, "0")}`;
  const objectKey = fileKey(ACCOUNT_ID, uploadId, "picture.png");
  await cdnEnv.FILES.put(objectKey, SOURCE, { httpMetadata: { contentType: "image/png" } });
  // Each zone has its own cache, so that no test sees the rules of another.
  url = objectUrl(`https://${crypto.randomUUID()}.example.com`, objectKey);
});

const setRules = (rules: FileRules) => setRulesOf(ACCOUNT_ID, rules);

/** Requests a file or a variant. `observe` reads the rules again each time. */
async function get(query: string, headers: Record<string, string> = {}) {
  const { response, body, operations, views } = await observe(`${url}?${query}`, { headers });
  const { status } = response;
  if (status !== 200) return { status, ...JSON.parse(new TextDecoder().decode(body)), operations };
  const type = response.headers.get("Content-Type") ?? "";
  const { width, height } = readHead(type as "image/png", new Uint8Array(body), true);
  return { status, type, width, height, operations, views: views.length, vary: response.headers.get("Vary") };
}

const presets = {
  card: "fit=crop&h=101&w=131",
  best: "auto=format&q=71&w=77",
  whole: "fm=webp",
};

describe("The variants that strangers may ask for", () => {
  it.each<[VariantMode, string, number]>([
    ["open", "w=64", 200],
    ["open", "p=card", 200],
    ["presets", "w=64", 403],
    ["presets", "fm=webp", 403],
    ["presets", "p=card", 200],
    ["signed", "w=64", 403],
    ["signed", "p=card", 403],
    ["off", "w=64", 403],
    ["off", "p=card", 403],
    ["off", "s=0123", 200],
    ["off", "download=1", 200],
    ["off", "utm_source=mail", 200],
  ])("If the owner set %s, the query %s is answered %d", async (variants, query, status) => {
    await setRules({ ...(variants !== "open" && { variants }), presets });
    const answer = await get(query);
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(answer).toMatchObject({ code: "variant_refused", details: { variants }, operations: [] });
  });

  it("The file itself costs one operation and is served, whatever the owner set", async () => {
    await setRules({ variants: "off", presets });
    expect(await get("")).toMatchObject({ status: 200, width: 300, operations: ["get"], views: 1 });
  });

  it("A variant of a suspended account is not made", async () => {
    await setRules({ suspended: true });
    expect(await get("w=64")).toMatchObject({ status: 403, code: "files_suspended", operations: [] });
  });
});

describe("Presets", () => {
  beforeEach(() => setRules({ presets }));

  it("A preset's size and quality are exact", async () => {
    expect(await get("p=card")).toMatchObject({ status: 200, width: 131, height: 101 });
    expect(await get("p=card&dpr=2")).toMatchObject({ status: 200, width: 262, height: 202 });
    expect(await get("p=whole")).toMatchObject({ status: 200, type: "image/webp", width: 300 });
  });

  it("A stored variant of a preset costs one operation", async () => {
    await get("p=card");
    expect(await get("p=card&utm_source=mail")).toMatchObject({ status: 200, operations: ["get"], views: 1 });
  });

  it("A preset may choose the format by `Accept`", async () => {
    const accepted = await get("p=best", { Accept: "image/webp" });
    expect(accepted).toMatchObject({ type: "image/webp", width: 77, vary: "Accept" });
    expect(await get("p=best")).toMatchObject({ type: "image/png", width: 77, vary: "Accept" });
  });

  it.each([
    ["p=poster", "p", "There is no preset poster"],
    ["p=constructor", "p", "There is no preset constructor"],
    ["p=%3Cb%3E", "p", "Must be the name of a preset"],
    ["p=card&width=99", "width", "Must not be beside a preset"],
    ["p=card&fm=png", "fm", "Must not be beside a preset"],
    ["p=card&dpr=1.5", "dpr", "Must be 1, 2 or 3 beside a preset"],
  ])("A query with a wrong preset (%s) is 400 and names %s", async (query, parameter, message) => {
    expect(await get(query)).toMatchObject({
      status: 400,
      code: "invalid_query",
      details: { [parameter]: message },
      operations: [],
    });
  });
});

describe("Signed URLs", () => {
  const keyId = "01hzy3v7k9q4r5s6t7v8w9x0yk";
  const another = "01hzy3v7k9q4r5s6t7v8w9x0ym";
  const signingKeys = { [keyId]: "The site", [another]: "The shop" };

  async function sign(query: string, id = keyId, accountId = ACCOUNT_ID): Promise<string> {
    const key = formatSigningKey(await deriveSigningKey(cdnEnv.URL_SIGNING_SECRET, accountId, id));
    return new URL(await signUrl(`${url}?${query}`, key)).search.slice(1);
  }

  it.each<[VariantMode, number]>([
    ["open", 200],
    ["presets", 200],
    ["signed", 200],
    ["off", 403],
  ])("If the owner set %s, a signed URL of any size is answered %d", async (variants, status) => {
    await setRules({ ...(variants !== "open" && { variants }), signingKeys });
    expect((await get(await sign("w=77"))).status).toBe(status);
  });

  it("A signed size and quality are exact, and a signed URL may change its preset", async () => {
    await setRules({ variants: "signed", presets, signingKeys });
    expect(await get(await sign("w=77&h=33&fit=crop&fm=webp&q=71"))).toMatchObject({
      status: 200,
      type: "image/webp",
      width: 77,
      height: 33,
    });
    expect(await get(await sign("p=card&w=99", another))).toMatchObject({ status: 200, width: 99, height: 101 });
  });

  it("A signed URL's stored variant costs one operation", async () => {
    await setRules({ variants: "signed", signingKeys });
    const query = await sign("w=77");
    await get(query);
    expect(await get(query)).toMatchObject({ status: 200, operations: ["get"], views: 1 });
  });

  it("The order of parameters, Cloudflare's names and unknown parameters do not change what is signed", async () => {
    await setRules({ variants: "signed", signingKeys });
    const signature = new URLSearchParams(await sign("w=77&h=50")).get("s");
    for (const query of ["h=50&w=77", "height=50&width=77", "w=77&download=1&h=50&utm_source=mail"])
      expect((await get(`${query}&s=${signature}`)).status).toBe(200);
  });

  it("A signature is refused for another file, account, key or parameter, and if its key is revoked", async () => {
    await setRules({ signingKeys });
    const query = await sign("w=77");
    const signature = new URLSearchParams(query).get("s") ?? "";
    const refused = [
      `w=78&s=${signature}`,
      `w=77&q=5&s=${signature}`,
      `w=77&p=card&s=${signature}`,
      `w=77&s=${signature.replace(keyId, another)}`,
      `w=77&s=${signature.replace(keyId, "01hzy3v7k9q4r5s6t7v8w9x0yz")}`,
      `w=77&s=${signature.slice(0, -2)}AA`,
      "w=77&s=",
      `w=77&s=${"a".repeat(3000)}`,
      await sign("w=77", keyId, "01hzy3v7k9q4r5s6t7v8w9x0yc"),
    ];
    for (const each of refused)
      expect(await get(each)).toMatchObject({ status: 403, code: "invalid_signature", operations: [] });
    url = url.replace("picture.png", "another.png");
    expect(await get(query)).toMatchObject({ status: 403, code: "invalid_signature" });
    url = url.replace("another.png", "picture.png");
    expect((await get(query)).status).toBe(200);
    await setRules({ signingKeys: { [another]: "The shop" } });
    url = url.replace(new URL(url).host, `${crypto.randomUUID()}.example.com`);
    expect(await get(query)).toMatchObject({ status: 403, code: "invalid_signature" });
  });

  it("A signed variant counts among the 64 of an upload", async () => {
    await setRules({ variants: "signed", signingKeys });
    for (let width = 1; width <= 64; width++) expect(await get(await sign(`w=${width}`))).toMatchObject({ width });
    expect(await get(await sign("w=65"))).toMatchObject({ status: 200, width: 300 });
  });
});
