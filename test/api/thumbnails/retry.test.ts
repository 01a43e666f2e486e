import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import type { UploadStored } from "../../../src/domain/queue-messages.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import { retryThumbnails } from "../../../src/services/thumbnails/retry-thumbnails.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { inLibraries, libraries, shardOf } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { impossible, made } from "../../support/thumbnails/processor.ts";
import { deliverOne, message, type StoredVideo, stored } from "../../support/thumbnails/queue.ts";
import { storeVideo, thumbnailBytes, videoRow } from "../../support/thumbnails/state.ts";

const PATH = "/admin/thumbnails/retry";

/** The services with a queue that records its messages. */
function remembering(fails = false) {
  const sent: UploadStored[] = [];
  const sendBatch = async (messages: readonly { body: UploadStored }[]) => {
    if (fails) throw new Error("The queue is out of order");
    if (messages.length > 100) throw new Error("Too many messages");
    sent.push(...messages.map(({ body }) => body));
  };
  const uploadEvents = { sendBatch } as unknown as Queue<UploadStored>;
  return {
    sent,
    services: { directory: openDirectory(env), libraries, uploadEvents, config: { jwtSecret: onlySecret("a secret") } },
  };
}

async function retryAll(world: ReturnType<typeof remembering>, email?: string): Promise<number> {
  let announced = 0;
  let cursor: string | undefined;
  do {
    const answer = await retryThumbnails(world.services, { email, cursor });
    announced += answer.announced;
    cursor = answer.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return announced;
}

const idsOf = (videos: readonly { uploadId: string }[]) => videos.map(({ uploadId }) => uploadId).sort();

describe("POST /admin/thumbnails/retry", () => {
  it("`POST /admin/thumbnails/retry` queues an account's videos without a thumbnail only", async () => {
    const account = await openAccount();
    const [refused, missing, done] = [
      await storeVideo(account.id),
      await storeVideo(account.id),
      await storeVideo(account.id),
    ];
    await storeVideo((await openAccount()).id);
    await uploadOne(account.token, { name: "a.png", bytes: png() });
    await deliverOne(stored(refused), { processor: () => impossible() });
    await deliverOne(stored(done), { processor: () => made() });
    const world = remembering();
    expect(await retryAll(world, account.email)).toBe(2);
    expect(idsOf(world.sent)).toEqual(idsOf([refused, missing]));
    expect(await videoRow(refused)).toMatchObject({ thumbnail_error: null });
    for (const body of world.sent) expect(await deliverOne(message(body), { processor: () => made() })).toBe("acked");
    expect(await Promise.all([refused, missing, done].map(thumbnailBytes))).toEqual([1234, 1234, 1234]);
    expect(await retryAll(remembering(), account.email)).toBe(0);
  });

  it("`POST /admin/thumbnails/retry` can be repeated: a queued video gets one thumbnail", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    const world = remembering();
    await retryAll(world, account.email);
    await retryAll(world, account.email);
    expect(world.sent).toHaveLength(2);
    for (const body of world.sent) await deliverOne(message(body), { processor: () => made() });
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: 1234, thumbnail_error: null });
  });

  it("`POST /admin/thumbnails/retry` loses no video if the queue fails", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await deliverOne(stored(video), { processor: () => impossible() });
    await expect(retryAll(remembering(true), account.email)).rejects.toThrow("out of order");
    const world = remembering();
    expect(await retryAll(world, account.email)).toBe(1);
    expect(idsOf(world.sent)).toEqual([video.uploadId]);
  });

  it("`POST /admin/thumbnails/retry` reaches every account, and more videos than one call takes", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await copyRows(video, 230);
    const others = await Promise.all([openAccount(), openAccount()]);
    const videos = [video, ...(await Promise.all(others.map(({ id }) => storeVideo(id))))];
    const own = remembering();
    expect(await retryAll(own, account.email)).toBe(231);
    expect(new Set(idsOf(own.sent)).size).toBe(231);
    const all = remembering();
    await retryAll(all);
    expect(idsOf(all.sent)).toEqual(expect.arrayContaining(idsOf(videos)));
    expect(new Set(idsOf(all.sent)).size).toBe(all.sent.length);
    expect(idsOf(all.sent.filter(({ accountId }) => accountId === account.id))).toEqual(idsOf(own.sent));
  });

  it("`POST /admin/thumbnails/retry` is for the operator, and names invalid fields", async () => {
    const account = await openAccount();
    await storeVideo(account.id);
    const ask = (body: unknown, token = env.ADMIN_TOKEN) => callJson("POST", PATH, token, body);
    expect((await call(PATH, { method: "POST" })).status).toBe(401);
    expect((await ask({}, account.token)).status).toBe(401);
    expect((await ask({ email: "nobody@example.com" })).status).toBe(404);
    for (const body of [{ after: "here" }, { after: "" }, { limit: 5 }, { email: 1 }, []]) {
      expect((await ask(body)).status).toBe(400);
    }
    const answer = await (await ask({ email: account.email })).json<{ announced: number; next: string | null }>();
    expect(answer).toMatchObject({ announced: 1, next: expect.any(String) });
    expect(await (await ask({ email: account.email, after: answer.next })).json()).toEqual({
      announced: 0,
      next: null,
      pagination: { nextCursor: null },
    });
    expect((await call("/images", { headers: bearer(account.token) })).status).toBe(200);
  });
});

/** More videos like this one, but only as rows. */
async function copyRows({ accountId, uploadId }: StoredVideo, count: number): Promise<void> {
  const [row = {}] = await inLibraries("SELECT * FROM uploads WHERE id = ?", uploadId);
  const { number: _, ...columns } = row;
  const names = Object.keys(columns);
  const shard = libraries.bindingOf(await shardOf(accountId));
  const statement = shard.prepare(
    `INSERT INTO uploads (number, ${names.join(", ")}) VALUES ((SELECT max(number) FROM uploads) + 1, ${names.map(() => "?").join(", ")})`,
  );
  const rows = Array.from({ length: count }, (_, index) => {
    const id = `${uploadId.slice(0, 22)}${String(index).padStart(4, "0")}`;
    return { ...columns, id, object_key: `uploads/${accountId}/${id}-a.mp4` };
  });
  await shard.batch(
    rows.map((copy) => statement.bind(...names.map((name) => (copy as Record<string, unknown>)[name] ?? null))),
  );
}
