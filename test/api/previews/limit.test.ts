import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { bearer, call, openAccount, uploadOne } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";

// FILE-10: a found signed URL costs the service only a few reads a minute.

it("A preview that is read too often is 429 before R2 is asked", async () => {
  const { token } = await openAccount();
  const { _id } = await uploadOne(token, { name: "a.png", bytes: png() });
  const { previewUrl } = await (await call(`/images/${_id}`, { headers: bearer(token) })).json<{
    previewUrl: string;
  }>();
  const read = (isAdmitted: boolean, url = previewUrl) => {
    const PREVIEW_READS = { limit: async () => ({ success: isAdmitted }) };
    const FILES = { get: () => expect.unreachable("R2 was asked") };
    const bindings = { ...env, PREVIEW_READS, ...(isAdmitted ? {} : { FILES }) } as unknown as Env;
    return Promise.resolve(createApp().fetch(new Request(url), bindings, createExecutionContext()));
  };
  expect((await read(true)).status).not.toBe(429);
  const refused = await read(false);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(await refused.json()).toMatchObject({ code: "rate_limited", details: { reason: "rate" } });
  // A stranger without a token does not use up the owner's reads.
  expect((await read(false, previewUrl.replace(/preview=.*/, "preview=1.x"))).status).toBe(403);
});
