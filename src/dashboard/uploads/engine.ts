import type { Account, MediaObject, UploadResult } from "../../client/index.ts";
import { queryClient } from "../api/query-client.ts";
import { readSession, subscribeSession } from "../api/session-store.ts";
import { awaitThumbnail } from "./await-thumbnail.ts";
import { browserPorts } from "./browser-ports.ts";
import { EMPTY } from "./empty-snapshot.ts";
import { type Snapshot, toSnapshot } from "./snapshot.ts";
import { TransferRate } from "./transfer-rate.ts";
import { NOTE_EVERY_MS, noteUnsent } from "./unsent.ts";
import { isOver } from "./upload-item.ts";
import { UploadQueue } from "./upload-queue.ts";

/** What the queue tells the page. */
export interface EngineListener {
  shown(snapshot: Snapshot): void;
  stored(result: UploadResult): void;
  /** A video's thumbnail was made, or could not be made. */
  thumbnailSettled(media: MediaObject): void;
}

/** Eyes do not follow faster. */
const SHOW_EVERY_MS = 100;

/** Starts the queue of this page. */
export function startEngine(listener: EngineListener): UploadQueue {
  const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const rate = new TransferRate();
  let sentBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notedAt = 0;
  let left = 0;

  const queue = new UploadQueue(browserPorts, {
    changed() {
      if (timer === undefined) timer = setTimeout(show, SHOW_EVERY_MS);
    },
    stored(result) {
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
    listener.shown(snapshot.total === 0 ? EMPTY : snapshot);
  }

  function note(isClosed: boolean): void {
    notedAt = Date.now();
    const account = queryClient.getQueryData<Account>(["account"]);
    noteUnsent(localStorage, { id, accountId: account?._id ?? "" }, unsent(), notedAt, isClosed);
  }

  function* unsent() {
    for (const item of queue.items) if (!isOver(item.state)) yield item;
  }

  /** A page that asks whether to leave is not kept for "back": it asks only while there is something to lose. */
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
  });
  return queue;
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
