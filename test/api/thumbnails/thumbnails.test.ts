import { describe, expect, it } from "vitest";
import { readMeter, usageOf } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, openProAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import {
  impossible,
  JPEG_BYTES,
  made,
  type Processor,
  remembering,
  thumbnailJpeg,
} from "../../support/thumbnails/processor.ts";
import { deliver, deliverOne, message, stored, toVideo } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo } from "../../support/thumbnails/state.ts";

interface Listed {
  readonly _id: string;
  readonly thumbnailUrl: string | null;
  readonly size: { readonly width: number; readonly height: number };
}

async function listed(account: TestAccount): Promise<Listed[]> {
  const response = await call("/images", { headers: bearer(account.token) });
  expect(response.status).toBe(200);
  return (await response.json<{ images: Listed[] }>()).images;
}

async function one(account: TestAccount, uploadId: string): Promise<Listed> {
  return (await call(`/images/${uploadId}`, { headers: bearer(account.token) })).json();
}

async function usage(account: TestAccount) {
  return usageOf(await call("/account", { headers: bearer(account.token) }));
}

describe("Thumbnails", () => {
  it("A video's thumbnail has its URL at once, and is served there once made, cached for 90 days", async () => {
    const account = await openProAccount();
    const result = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    const { pathname } = new URL(result.thumbnailUrl ?? "");
    expect(pathname).toBe(`/uploads/${account.id}/thumbs/${result._id}-thumb.jpg`);
    const early = await call(pathname);
    expect([early.status, early.headers.get("Cache-Control")]).toEqual([404, "no-store"]);
    await early.arrayBuffer();
    expect(await deliverOne(stored(toVideo(account, result)), { processor: () => made() })).toBe("acked");
    const response = await call(pathname);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("image/jpeg");
    expect(response.headers.get("Cache-Control")).toContain("max-age=7776000");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(thumbnailJpeg());
    const [item] = await listed(account);
    expect(item).toMatchObject({ _id: result._id, thumbnailUrl: result.thumbnailUrl });
    expect(item?.size).toEqual({ width: 1920, height: 1080 });
    expect(await one(account, result._id)).toEqual(item);
  });

  it("A video's thumbnail counts as storage, and as no operation", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.mp4", bytes: mp4(5000) });
    expect(await usage(account)).toEqual({ storage: 5000, operations: 1 });
    await deliverOne(stored(toVideo(account, result)), { processor: () => made() });
    expect(await usage(account)).toEqual({ storage: 5000 + JPEG_BYTES, operations: 1 });
    expect((await readMeter(account.id)).operations).toHaveLength(1);
    await expectAccounted(account.id);
  });

  it("A video's thumbnail is requested 640 pixels wide, at quality 80, with the detected type", async () => {
    const account = await openAccount();
    const { processor, tasks } = remembering();
    const video = await storeVideo(account.id);
    await deliver([message({ ...(stored(video).body as object), mimeType: "video/webm" })], { processor });
    // If the two types differ, the row's type counts.
    expect(tasks).toMatchObject([{ width: 640, quality: 80, type: "video/mp4" }]);
  });

  it("An image gets no thumbnail", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    expect(result).not.toHaveProperty("thumbnailUrl");
    expect((await listed(account))[0]?.thumbnailUrl).toBeNull();
    expect(await readMeter(account.id)).toMatchObject({ intents: [], usedTenths: 10 });
  });
});

describe("Impossible thumbnails", () => {
  it("A video without a possible thumbnail is kept, its thumbnailUrl is null, and it is not retried", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.mp4", bytes: mp4(5000) });
    const video = toVideo(account, result);
    expect((await listed(account))[0]?.thumbnailUrl).toBe(result.thumbnailUrl);
    let asked = 0;
    const processor: Processor = () => {
      asked++;
      return impossible();
    };
    for (let attempt = 1; attempt < 4; attempt++) {
      expect(await deliverOne(stored(video, attempt), { processor })).toBe("acked");
    }
    expect(asked).toBe(1);
    expect((await listed(account))[0]).toMatchObject({ _id: result._id, thumbnailUrl: null });
    expect(await one(account, result._id)).toMatchObject({ thumbnailUrl: null, size: { width: 0, height: 0 } });
    expect((await call(`/${video.objectKey}`)).status).toBe(200);
    expect((await call(new URL(result.thumbnailUrl ?? "").pathname)).status).toBe(404);
    await expectAccounted(account.id);
  });
});
