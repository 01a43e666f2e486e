import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { MediaObject } from "../../../src/client/types.ts";
import { bearer, call, callJson, openAccount, type TestAccount } from "../../support/api/api.ts";
import { impossible, type Processor } from "../../support/thumbnails/processor.ts";
import { deliverOne, type StoredVideo, stored } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, videoRow } from "../../support/thumbnails/state.ts";

const noPicture =
  (code: unknown): Processor =>
  () =>
    Response.json({ reason: "no video in the file", code }, { status: 422 });

async function storeWith(processor: Processor): Promise<{ account: TestAccount; video: StoredVideo }> {
  const account = await openAccount();
  const video = await storeVideo(account.id);
  expect(await deliverOne(stored(video), { processor })).toBe("acked");
  return { account, video };
}

async function mediaObject({ token }: TestAccount, { uploadId }: StoredVideo): Promise<MediaObject> {
  return (await call(`/images/${uploadId}`, { headers: bearer(token) })).json();
}

async function failedOf({ email }: TestAccount): Promise<unknown[]> {
  const path = `/admin/thumbnails/failed?email=${encodeURIComponent(email)}`;
  const answer = await call(path, { headers: bearer(env.ADMIN_TOKEN) });
  return (await answer.json<{ thumbnails: unknown[] }>()).thumbnails;
}

async function retriedOf({ email }: TestAccount): Promise<number> {
  const answer = await callJson("POST", "/admin/thumbnails/retry", env.ADMIN_TOKEN, { email });
  return (await answer.json<{ announced: number }>()).announced;
}

describe("Files without a picture", () => {
  it.each(["no_video", "no_frames"])(
    "A video without a picture (%s) has the thumbnail `none` with this reason",
    async (code) => {
      const { account, video } = await storeWith(noPicture(code));
      const shown = { thumbnail: "none", thumbnailReason: code, thumbnailUrl: null };
      expect(await mediaObject(account, video)).toMatchObject(shown);
      await expectAccounted(account.id);
    },
  );

  it("A video without a picture does not count as a failure: it is neither listed for the operator nor retried", async () => {
    const { account, video } = await storeWith(noPicture("no_video"));
    expect(await failedOf(account)).toEqual([]);
    expect(await retriedOf(account)).toBe(0);
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: "no_video" });
  });
});

describe("Impossible thumbnails", () => {
  it.each([undefined, "no_colours", 1, null])(
    "A video with an impossible thumbnail has the thumbnail `failed` with the code %s",
    async (code) => {
      const { account, video } = await storeWith(noPicture(code));
      const shown = await mediaObject(account, video);
      expect(shown).toMatchObject({ thumbnail: "failed", thumbnailUrl: null });
      expect(shown).not.toHaveProperty("thumbnailReason");
    },
  );

  it("A video with an impossible thumbnail is listed for the operator, and retried", async () => {
    const { account, video } = await storeWith(() => impossible("no video in the file"));
    const { uploadId } = video;
    expect(await failedOf(account)).toEqual([{ accountId: account.id, uploadId, reason: "no video in the file" }]);
    expect(await retriedOf(account)).toBe(1);
  });
});
