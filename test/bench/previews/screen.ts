import { readCpuSeconds } from "../../../container/cpu-time.ts";
import { startApi } from "../../support/stack/miniflare.ts";
import { Client } from "../support/client.ts";
import { findWorkerd } from "../support/memory.ts";
import { readQueuedSeconds } from "../support/queued-seconds.ts";
import { reportFigure, reportTarget, type Target } from "../support/report.ts";
import { tasksPerSecond } from "../support/rounds.ts";
import type { Picture } from "./pictures.ts";

const TILES = 24;
/** A browser's connections to one host over HTTP/1.1. */
const CONNECTIONS = 6;
const PERSON = { email: "previews@example.com", password: "correct horse battery staple" };

interface Page {
  readonly images: readonly { readonly previewUrl: string }[];
}

/**
 * A screen of photos over the whole service: first cold, then from stored previews. The cold time leaves out the time in which workerd could
 * compute but other programs had the processors.
 * @param maxColdSeconds the target without any stored preview
 */
export async function benchScreen(photo: Picture, maxColdSeconds: number): Promise<Target> {
  await using stack = await startApi({ MEDIA_PROCESSOR_URL: "none" }, { isQuiet: true });
  const client = new Client(stack.url);
  const { token } = await client.callJson<{ token: string }>(201, "POST", "/auth/register", undefined, PERSON);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": photo.type };
  for (let tile = 0; tile < TILES; tile++) {
    await client.call(201, `/images/upload?filename=photo-${tile}.jpg`, { method: "POST", headers, body: photo.file });
  }
  const { images } = await client.callJson<Page>(200, "GET", "/images?folderId=all&limit=100", token);
  const paths = images.map(({ previewUrl }) => previewUrl.slice(new URL(previewUrl).origin.length));
  if (paths.length !== TILES) throw new Error(`${paths.length} tiles instead of ${TILES}`);
  const show = async () => {
    const perSecond = await tasksPerSecond(TILES, CONNECTIONS, (tile) => client.call(200, paths[tile] ?? ""));
    return TILES / perSecond;
  };
  const pid = await findWorkerd();
  const before = readCpuSeconds(pid) ?? Number.NaN;
  const queuedBefore = readQueuedSeconds(pid);
  const shownSeconds = await show();
  const queuedSeconds = readQueuedSeconds(pid) - queuedBefore;
  reportFigure(`${photo.name}, processor`, ((readCpuSeconds(pid) ?? Number.NaN) - before) * 1000, "ms");
  reportFigure(`${photo.name}, queued`, queuedSeconds, "s");
  // A preview is stored after the answer.
  await new Promise((resolve) => setTimeout(resolve, 500));
  reportFigure(`${photo.name}, kept`, (await show()) * 1000, "ms");
  client.close();
  return reportTarget({
    name: `${photo.name}, cold`,
    value: shownSeconds - queuedSeconds,
    atMost: maxColdSeconds,
    unit: "s",
  });
}
