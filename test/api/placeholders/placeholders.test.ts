import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import type { UploadStored } from "../../../src/domain/queue-messages.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import { BYTES_PER_GB } from "../../../src/domain/tiers.ts";
import { orderPlaceholders } from "../../../src/services/placeholders/order-placeholders.ts";
import worker from "../../../src/worker.ts";
import { setStorageBytes } from "../../support/api/account-state.ts";
import {
  BASE_URL,
  bearer,
  call,
  callJson,
  openAccount,
  type TestAccount,
  type UploadResult,
  uploadOne,
} from "../../support/api/api.ts";
import { inLibraries, libraries } from "../../support/api/databases.ts";
import { photoWithComment } from "../../support/codecs/photo.ts";
import { makePng } from "../../support/media/make-png.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { takeDown } from "../../support/operator/as-operator.ts";
import { answer, made, type Processor } from "../../support/thumbnails/processor.ts";
import { deliverOne, message, stored, toVideo } from "../../support/thumbnails/queue.ts";

interface Shown {
  readonly _id: string;
  readonly thumbHash: string | null;
  readonly dominantColor: string | null;
}

const none: Processor = () => new Response(null, { status: 500 });

/** A queue that records its messages. */
function recording() {
  const sent: UploadStored[] = [];
  const sendBatch = async (messages: readonly { body: UploadStored }[]) => {
    sent.push(...messages.map(({ body }) => body));
  };
  const uploadEvents = { sendBatch } as unknown as Queue<UploadStored>;
  const services = {
    directory: openDirectory(env),
    libraries,
    uploadEvents,
    config: { jwtSecret: onlySecret("a secret") },
  };
  return {
    sent,
    queue: uploadEvents,
    order: (email: string) => orderPlaceholders(services, { email, cursor: undefined }),
  };
}

/** Makes an upload one of a time before there were placeholders. */
async function forget({ _id }: UploadResult): Promise<void> {
  await inLibraries("UPDATE uploads SET placeholder = NULL WHERE id = ?", _id);
}

async function shown(account: TestAccount, { _id }: UploadResult): Promise<Shown | undefined> {
  const page = await (await call("/images", { headers: bearer(account.token) })).json<{ images: Shown[] }>();
  return page.images.find((image) => image._id === _id);
}

async function storeOld(account: TestAccount): Promise<UploadResult> {
  const image = await uploadOne(account.token, { name: "a.png", bytes: await makePng(30, 20) });
  await forget(image);
  return image;
}

const orderOf = ({ id }: TestAccount, { _id, filename, mimeType }: UploadResult) =>
  message({ type: "upload.stored", accountId: id, uploadId: _id, objectKey: filename, mimeType });

describe("POST /admin/placeholders", () => {
  it("`POST /admin/placeholders` queues an account's older images, and each gets the placeholder of a new one", async () => {
    const account = await openAccount();
    const bytes = await makePng(30, 20);
    const fresh = await uploadOne(account.token, { name: "a.png", bytes });
    const old = await storeOld(account);
    await storeOld(await openAccount());
    const { sent, order } = recording();
    expect(await order(account.email)).toEqual({ announced: 1, nextCursor: expect.any(String) });
    expect(sent.map(({ uploadId }) => uploadId)).toEqual([old._id]);
    expect(await shown(account, old)).toMatchObject({ thumbHash: null, dominantColor: null });
    for (const body of sent) expect(await deliverOne(message(body), { processor: none })).toBe("acked");
    const expected = await shown(account, fresh);
    expect(expected?.thumbHash).toEqual(expect.any(String));
    const { thumbHash, dominantColor } = expected ?? {};
    expect(await shown(account, old)).toMatchObject({ thumbHash, dominantColor });
    expect(await order(account.email)).toEqual({ announced: 0, nextCursor: null });
  });

  it("`POST /admin/placeholders` announces no image again that cannot be decoded", async () => {
    const account = await openAccount();
    const image = await uploadOne(account.token, { name: "a.png", bytes: png(30, 20, 300) });
    expect(await shown(account, image)).toMatchObject({ thumbHash: null, dominantColor: null });
    expect(await recording().order(account.email)).toMatchObject({ announced: 0 });
  });

  it("`POST /admin/placeholders` makes the placeholders of videos that have a thumbnail", async () => {
    const account = await openAccount();
    const [video, bare] = [
      await uploadOne(account.token, { name: "a.mp4", bytes: mp4() }),
      await uploadOne(account.token, { name: "b.mp4", bytes: mp4() }),
    ];
    const processor = () => answer(photoWithComment());
    await deliverOne(stored(toVideo(account, video)), { processor });
    const { thumbHash } = (await shown(account, video)) ?? {};
    expect(thumbHash).toEqual(expect.any(String));
    expect((await shown(account, bare))?.thumbHash).toBeNull();
    await forget(video);
    const { sent, order } = recording();
    await order(account.email);
    expect(sent.map(({ uploadId }) => uploadId)).toEqual([video._id]);
    for (const body of sent) expect(await deliverOne(message(body), { processor: none })).toBe("acked");
    expect((await shown(account, video))?.thumbHash).toBe(thumbHash);
  });

  it("`POST /admin/placeholders` is for the operator, and names invalid fields", async () => {
    const ask = (body: unknown, token = env.ADMIN_TOKEN) => callJson("POST", "/admin/placeholders", token, body);
    const account = await openAccount();
    await storeOld(account);
    expect((await ask({}, account.token)).status).toBe(401);
    expect((await ask({ email: "nobody@example.com" })).status).toBe(404);
    expect((await ask({ after: "here" })).status).toBe(400);
    expect(await (await ask({ email: account.email })).json()).toMatchObject({
      announced: 1,
      next: expect.any(String),
    });
  });
});

describe("An upload", () => {
  it("An upload is stored while the Codec Worker fails, and its placeholder is made afterwards", async () => {
    const account = await openAccount();
    const { sent, queue } = recording();
    const CODECS = { open: () => Promise.reject(new Error("Out of order")) } as unknown as Env["CODECS"];
    const ctx = createExecutionContext();
    const request = new Request(`${BASE_URL}/images/upload?filename=a.png`, {
      method: "POST",
      headers: bearer(account.token),
      body: await makePng(30, 20),
    });
    const answered = await worker.fetch(request, { ...env, CODECS, UPLOADS: queue }, ctx);
    await waitOnExecutionContext(ctx);
    expect(answered.status).toBe(201);
    const image = await answered.json<UploadResult>();
    expect(image).toMatchObject({ thumbHash: null, dominantColor: null });
    expect(sent.map(({ uploadId }) => uploadId)).toEqual([image._id]);
    for (const body of sent) expect(await deliverOne(message(body), { processor: none })).toBe("acked");
    expect((await shown(account, image))?.thumbHash).toEqual(expect.any(String));
  });
});

describe("A refused upload", () => {
  it("An upload that does not fit is answered after its placeholder, which reads its bytes", async () => {
    const account = await openAccount();
    await setStorageBytes(account.id, BYTES_PER_GB - 1);
    let hasEnded = false;
    const open = async () => {
      await scheduler.wait(100);
      hasEnded = true;
      throw new Error("Out of order");
    };
    const ctx = createExecutionContext();
    const request = new Request(`${BASE_URL}/images/upload?filename=a.png`, {
      method: "POST",
      headers: bearer(account.token),
      body: await makePng(30, 20),
    });
    const { status } = await worker.fetch(request, { ...env, CODECS: { open } as unknown as Env["CODECS"] }, ctx);
    expect([status, hasEnded]).toEqual([413, true]);
    await waitOnExecutionContext(ctx);
  });
});

describe("The queue's consumer", () => {
  it("A delivery that comes twice, or for a deleted or taken-down image, changes nothing", async () => {
    const account = await openAccount();
    const [twice, deleted, taken] = [await storeOld(account), await storeOld(account), await storeOld(account)];
    await call(`/images/${deleted._id}`, { method: "DELETE", headers: bearer(account.token) });
    await takeDown({ id: taken._id });
    for (const image of [twice, twice, deleted, taken])
      expect(await deliverOne(orderOf(account, image), { processor: none })).toBe("acked");
    expect((await shown(account, twice))?.thumbHash).toEqual(expect.any(String));
    expect((await shown(account, taken))?.thumbHash).toBeNull();
    expect(await shown(account, deleted)).toBeUndefined();
  });

  it("A Codec Worker that fails delays the placeholder, and never the upload", async () => {
    const account = await openAccount();
    const image = await storeOld(account);
    const CODECS = { placeholder: () => Promise.reject(new Error("Out of order")) } as unknown as Env["CODECS"];
    expect(await deliverOne(orderOf(account, image), { processor: none, replaced: { CODECS } })).toBe("retried");
    expect(await deliverOne(orderOf(account, image), { processor: none })).toBe("acked");
    expect((await shown(account, image))?.thumbHash).toEqual(expect.any(String));
  });

  it("A thumbnail without a picture is stored and has no placeholder", async () => {
    const account = await openAccount();
    const video = await uploadOne(account.token, { name: "a.mp4", bytes: mp4() });
    expect(await deliverOne(stored(toVideo(account, video)), { processor: () => made() })).toBe("acked");
    expect(await shown(account, video)).toMatchObject({ thumbnail: "ready", thumbHash: null, dominantColor: null });
  });
});
