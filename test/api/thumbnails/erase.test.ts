import { describe, expect, it } from "vitest";
import { replayIntents } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount } from "../../support/api/api.ts";
import { JPEG_BYTES, made, type Processor } from "../../support/thumbnails/processor.ts";
import { DEAD, deliverOne, stored } from "../../support/thumbnails/queue.ts";
import { expectAccounted, expectNoTrace, storeVideo, thumbnailBytes } from "../../support/thumbnails/state.ts";
import { MOMENTS } from "../../support/thumbnails/steps.ts";

const processor: Processor = () => made();

async function erase({ token, password }: TestAccount): Promise<void> {
  expect((await callJson("DELETE", "/account", token, { password })).status).toBeOneOf([200, 202]);
}

describe("Videos of an erased account", () => {
  it("A video erased before its message has it acknowledged, and leaves nothing behind", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await erase(account);
    for (const queue of [undefined, DEAD]) {
      expect(await deliverOne(stored(video), { processor, ...(queue === undefined ? {} : { queue }) })).toBe("acked");
    }
    for (let pass = 0; pass < 3; pass++) await replayIntents(account.id);
    await expectNoTrace(account.id);
  });

  it.each(MOMENTS)("A video whose account is erased %s leaves nothing behind", async (_, worldWith) => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    expect(
      await deliverOne(
        stored(video),
        worldWith(() => erase(account)),
      ),
    ).toBe("acked");
    for (let pass = 0; pass < 3; pass++) await replayIntents(account.id);
    await expectNoTrace(account.id);
  });

  it.each(MOMENTS)(
    "A video whose account is erased %s, to its last row and figure, leaves nothing behind",
    async (_, worldWith) => {
      const account = await openAccount();
      const video = await storeVideo(account.id);
      const eraseWholly = async () => {
        await erase(account);
        for (let pass = 0; pass < 3; pass++) await replayIntents(account.id);
      };
      expect(await deliverOne(stored(video), worldWith(eraseWholly))).toBe("acked");
      await expectNoTrace(account.id);
    },
  );
});

describe("Trashed videos", () => {
  it.each(MOMENTS)("A video trashed %s gets its thumbnail, and keeps it", async (_, worldWith) => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    const trash = () => callJson("POST", "/images/bulk-trash", account.token, { ids: [video.uploadId] });
    expect(await deliverOne(stored(video), worldWith(trash))).toBe("acked");
    const one = await call(`/images/${video.uploadId}`, { headers: bearer(account.token) });
    expect(await one.json()).toMatchObject({ status: "trash", size: { width: 1920, height: 1080 } });
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
    await expectAccounted(account.id);
  });
});
