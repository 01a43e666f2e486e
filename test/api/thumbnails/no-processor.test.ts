import { beforeAll, describe, expect, it } from "vitest";
import { openAccount } from "../../support/api/api.ts";
import { remembering } from "../../support/thumbnails/processor.ts";
import { DEAD, deliverOne, stored } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, videoRow } from "../../support/thumbnails/state.ts";

// `npm run deploy -- --without-container`: MEDIA_PROCESSOR_URL is "none".

const WITHOUT = { MEDIA_PROCESSOR_URL: "none" };

let accountId: string;

beforeAll(async () => {
  accountId = (await openAccount()).id;
});

describe("Deployment without a media processor", () => {
  it.each([
    ["uploads", undefined],
    ["dead letters", DEAD],
  ])("A video's message in the queue of %s is acknowledged without a media processor", async (_, queue) => {
    const video = await storeVideo(accountId);
    const { processor, tasks } = remembering();
    const world = { processor, replaced: WITHOUT, ...(queue === undefined ? {} : { queue }) };
    expect(await deliverOne(stored(video), world)).toBe("acked");
    expect(tasks).toEqual([]);
    expect(await thumbnailBytes(video)).toBe(0);
    await expectAccounted(accountId);
  });

  it("A video gets no verdict without a media processor: its thumbnail can be made later", async () => {
    const video = await storeVideo(accountId);
    const { processor } = remembering();
    await deliverOne(stored(video), { processor, replaced: WITHOUT });
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: null, thumbnail_size_bytes: null });
    expect(await deliverOne(stored(video), { processor })).toBe("acked");
    expect(await thumbnailBytes(video)).toBeGreaterThan(0);
    await expectAccounted(accountId);
  });
});
