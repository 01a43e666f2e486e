import type { Account, MediaObject, UploadResult } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { readSession, subscribeSession } from "../api/session-store.ts";
import { readUsage } from "../api/usage-store.ts";
import { EMPTY } from "./empty-snapshot.ts";
import { LocalPictures } from "./local-pictures.ts";
import { findStored } from "./look-up.ts";
import type { Ports } from "./ports.ts";
import { discard, send } from "./send.ts";
import { type Snapshot, toSnapshot } from "./snapshot.ts";
import { TransferRate } from "./transfer-rate.ts";
import { NOTE_EVERY_MS, noteUnsent } from "./unsent.ts";
import { isOver } from "./upload-item.ts";
import { UploadQueue } from "./upload-queue.ts";

export interface EngineListener {
  /** Addresses of local pictures, by the id of the stored file. */
  readonly pictures: Map<string, string>;
  shown(snapshot: Snapshot): void;
  stored(result: UploadResult): void;
  /** A video's thumbnail is ready or has failed. */
  thumbnailSettled(media: MediaObject): void;
}

/** Faster updates are not visible. */
const SHOW_EVERY_MS = 100;

export function startEngine(listener: EngineListener): UploadQueue {
  const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const rate = new TransferRate();
  let sentBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notedAt = 0;
  let left = 0;

  const changed = () => {
    if (timer === undefined) timer = setTimeout(show, SHOW_EVERY_MS);
  };
  const pictures = new LocalPictures(listener.pictures, changed);
  const queue = new UploadQueue(browserPorts, {
    changed,
    stored(result, { id: uploadId }) {
      pictures.noteStored(uploadId, result._id);
      listener.stored(result);
      if (result.mimeType.startsWith("video/")) void awaitThumbnail(result._id, listener.thumbnailSettled);
    },
  });

  function show(): void {
    timer = undefined;
    const now = Date.now();
    const snapshot = toSnapshot(queue.items, queue.pause, (bytes) => rate.secondsFor(bytes));
    if (snapshot.sentBytes < sentBytes || snapshot.pause !== undefined) rate.forget();
    sentBytes = snapshot.sentBytes;
    rate.note(sentBytes, now);
    if (snapshot.left !== left || now - notedAt > NOTE_EVERY_MS) note(false);
    if (snapshot.left > 0 !== left > 0) watchLeaving(snapshot.left > 0);
    left = snapshot.left;
    const items = snapshot.items.map(({ file, ...item }) => ({ ...item, picture: pictures.addressOf(item.id, file) }));
    listener.shown(snapshot.total === 0 ? EMPTY : { ...snapshot, items });
  }

  function note(isClosed: boolean): void {
    notedAt = Date.now();
    const account = queryClient.getQueryData<Account>(["account"]);
    noteUnsent(localStorage, { id, accountId: account?._id ?? "" }, unsent(), notedAt, isClosed);
  }

  function* unsent() {
    for (const item of queue.items) if (!isOver(item.state)) yield item;
  }

  /** A page with this listener is not kept for "back", so it is set only while files are left to send. */
  function watchLeaving(isNeeded: boolean): void {
    if (isNeeded) addEventListener("beforeunload", askToStay);
    else removeEventListener("beforeunload", askToStay);
  }

  addEventListener("pagehide", () => note(true));
  addEventListener("online", () => queue.resume("offline", "connection"));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) queue.resume("connection");
  });
  setInterval(() => left > 0 && note(false), NOTE_EVERY_MS);
  subscribeSession(() => {
    if (readSession() === "open") queue.resume("session");
    // The user cannot keep the page: its files would be stored in the account that has logged in.
    if (readSession() === "other") watchLeaving(false);
  });
  return queue;
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

const DELAYS_SECONDS = [2, 4, 8, 16, 32, 60];
/** A video's thumbnail takes seconds. If it takes longer than some minutes, it appears at the next visit. */
const MOST_ASKED = 10;

/** Polls a stored video until its thumbnail is ready or has failed. */
async function awaitThumbnail(id: string, settled: (media: MediaObject) => void): Promise<void> {
  for (let asked = 0; asked < MOST_ASKED; asked += 1) {
    const seconds = DELAYS_SECONDS[Math.min(asked, DELAYS_SECONDS.length - 1)] ?? 60;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    try {
      const media: MediaObject & { thumbnail?: string | null } = await api.image(id);
      if (media.thumbnail === "pending") continue;
      settled(media);
      return;
    } catch {
      // The file was deleted, or the service does not answer. The next page that shows the file fetches it.
      return;
    }
  }
}

const browserPorts: Ports = {
  send,
  discard,
  async lookUp(sought, known) {
    const { images } = await api.imagePage({ folderId: sought.folderId ?? "root", status: "all", limit: 100 });
    return findStored(images, sought, known);
  },
  async remove(id) {
    await api.delete(id);
  },
  concurrency: () => ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData ? 2 : 3),
  storageLimitBytes: () => readUsage()?.storage.limit,
  isOnline: () => navigator.onLine,
  newKey: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  now: () => Date.now(),
  random: () => Math.random(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
