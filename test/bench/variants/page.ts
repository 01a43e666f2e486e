import { readCpuSeconds } from "../../../container/cpu-time.ts";
import { newId } from "../../../src/domain/ids.ts";
import { fileKey } from "../../../src/domain/object-key.ts";
import { startCdn } from "../../support/stack/miniflare.ts";
import type { Picture } from "../previews/pictures.ts";
import { Client } from "../support/client.ts";
import { findWorkerd } from "../support/memory.ts";
import { readQueuedSeconds } from "../support/queued-seconds.ts";
import { reportFigure, reportTarget, type Target } from "../support/report.ts";
import { tasksPerSecond } from "../support/rounds.ts";

const PHOTOS = 24;
/** A browser's connections to one host over HTTP/1.1. */
const CONNECTIONS = 6;
const MAX_SECONDS = 3;

/**
 * A page of photos at a width without stored variants, in a fresh workerd. The time in which workerd could compute but other programs had
 * the processors is left out.
 */
export async function benchPage({ name, type, file }: Picture): Promise<Target> {
  console.log(`variants: a page of ${PHOTOS} new variants, ${CONNECTIONS} connections`);
  await using stack = await startCdn();
  const bucket = await stack.miniflare.getR2Bucket("FILES");
  const accountId = newId(Date.now());
  const paths: string[] = [];
  for (let photo = 0; photo < PHOTOS; photo++) {
    const objectKey = fileKey(accountId, newId(Date.now()), `photo-${photo}.jpg`);
    await bucket.put(objectKey, file, { httpMetadata: { contentType: type } });
    paths.push(`/${objectKey}?w=640`);
  }
  const client = new Client(stack.url);
  const pid = await findWorkerd();
  const before = readCpuSeconds(pid) ?? Number.NaN;
  const queuedBefore = readQueuedSeconds(pid);
  const perSecond = await tasksPerSecond(PHOTOS, CONNECTIONS, async (photo) => {
    const { body } = await client.call(200, paths[photo] ?? "");
    if (body.length >= file.length) throw new Error("The photo itself was served");
  });
  client.close();
  reportFigure(`${name}, processor`, (readCpuSeconds(pid) ?? Number.NaN) - before, "s");
  const queuedSeconds = readQueuedSeconds(pid) - queuedBefore;
  reportFigure(`${name}, queued`, queuedSeconds, "s");
  const seconds = PHOTOS / perSecond - queuedSeconds;
  return reportTarget({ name: `${name}, page`, value: seconds, atMost: MAX_SECONDS, unit: "s" });
}
