import { beforeAll, describe, expect, it } from "vitest";
import { expectConsistent } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openProAccount, type UploadResult, upload } from "../../support/api/api.ts";
import { RARE_JPEGS } from "../../support/jpeg/rare-jpegs.ts";
import { create, metadata } from "../../support/uploads/tus.ts";

// JPEGs that browsers do not decode are stored as uploaded (docs/using/compression.md).

type Bytes = Uint8Array<ArrayBuffer>;
type Account = Awaited<ReturnType<typeof openProAccount>>;

const WAYS: Record<string, (token: string, bytes: Bytes) => Promise<Response>> = {
  "as a form": (token, bytes) => upload(token, [{ name: "scan.jpg", bytes }]),
  "as a raw body": (token, body) =>
    call("/images/upload?filename=scan.jpg", {
      method: "POST",
      headers: { ...bearer(token), "Content-Type": "image/jpeg" },
      body,
    }),
  "by tus": (token, bytes) =>
    create(
      token,
      { "Upload-Length": String(bytes.length), "Upload-Metadata": metadata({ filename: "scan.jpg" }) },
      bytes,
    ),
};

describe.each([true, false])("Auto-compress %s", (autoCompress) => {
  let account: Account;
  beforeAll(async () => {
    account = await openProAccount();
    await callJson("PATCH", "/settings", account.token, { autoCompress });
  });

  describe.each(Object.keys(WAYS))("%s", (way) => {
    it.each(RARE_JPEGS)("$label is stored as uploaded, with its width and height", async ({ bytes, width, height }) => {
      const answer = await (WAYS[way] as (typeof WAYS)[string])(account.apiKey, bytes);
      expect(answer.status).toBe(201);
      const result = await answer.json<UploadResult>();
      expect(result).toMatchObject({ mimeType: "image/jpeg", compressed: false, size: { width, height } });
      expect(result.fileSize).toBe(bytes.length);
      const stored = await call(new URL(result.url).pathname);
      expect(new Uint8Array(await stored.arrayBuffer())).toEqual(bytes);
    });
  });

  it("The figures agree with the stores", async () => {
    await expectConsistent(account.id);
  });
});
