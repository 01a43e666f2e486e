import { describe, expect, it } from "vitest";
import { bearer, call, createApiKey, openAccount, uploadOne } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { begin, head, patch, remove } from "../../support/uploads/tus.ts";

// AUTH-2, AUTH-11: keys that can only upload.

interface Uploader {
  readonly name: string;
  open(): Promise<{ readonly key: string; readonly token: string; readonly others: readonly string[] }>;
}

const UPLOADERS: readonly Uploader[] = [
  {
    name: "an upload key",
    async open() {
      const { uploadKey, token } = await openAccount();
      return { key: uploadKey, token, others: [token] };
    },
  },
  {
    name: "an API key with the scope `upload` alone",
    async open() {
      const { token } = await openAccount("pro");
      const { key } = await createApiKey(token, ["upload"]);
      const others = [
        (await createApiKey(token, ["upload"])).key,
        (await createApiKey(token, ["upload", "images:read"])).key,
      ];
      return { key, token, others: [token, ...others] };
    },
  },
];

describe.each(UPLOADERS)("The holder of $name", ({ open }) => {
  it("A key that can only upload stores a file and resumes an upload that it began", async () => {
    const { key } = await open();
    await uploadOne(key, { name: "a.png", bytes: png() });
    const path = await begin(key, 2000);
    expect((await head(key, path)).status).toBe(200);
    expect((await call(path, { headers: bearer(key) })).status).toBe(200);
    expect((await patch(key, path, 0, mp4(2000))).status).toBe(200);
    const cancelled = await begin(key, 2000);
    expect((await remove(key, cancelled)).status).toBe(204);
  });

  it("A key that can only upload does not list unfinished uploads", async () => {
    const { key, token } = await open();
    await begin(key, 2000);
    expect((await call("/images/upload", { headers: bearer(key) })).status).toBe(403);
    const listed = await call("/images/upload", { headers: bearer(token) });
    expect(await listed.json()).toMatchObject({ uploads: [{ length: 2000 }] });
  });

  it("A key that can only upload does not find, write or cancel an upload that another caller began", async () => {
    const { key, others } = await open();
    for (const other of others) {
      const path = await begin(other, 2000);
      expect((await head(key, path)).status).toBe(404);
      expect((await call(path, { headers: bearer(key) })).status).toBe(404);
      expect((await patch(key, path, 0, mp4(2000))).status).toBe(404);
      expect((await remove(key, path)).status).toBe(404);
      expect((await patch(other, path, 0, mp4(2000))).status).toBe(200);
      expect((await call(path, { headers: bearer(key) })).status).toBe(404);
    }
  });
});

it("A session and a key with every right continue an upload that an upload key began", async () => {
  const { token } = await openAccount("pro");
  const { key } = await createApiKey(token, ["upload"]);
  const { key: whole } = await createApiKey(token);
  const path = await begin(key, 2000);
  expect((await head(token, path)).status).toBe(200);
  expect((await patch(whole, path, 0, mp4(2000))).status).toBe(200);
});
