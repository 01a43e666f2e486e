import type { UploadResult } from "../../client/index.ts";
import { Dispatcher } from "./dispatcher.ts";
import { type PauseReason, tooLargeForTier } from "./judge-failure.ts";
import { takeEntries } from "./next-shipment.ts";
import type { Pause } from "./pause.ts";
import type { Ports } from "./ports.ts";
import { type Entry, fail, isDuplicate, isOver, type Target, toUnique, type UploadItem } from "./upload-item.ts";

export interface QueueListener {
  changed(): void;
  stored(result: UploadResult, item: UploadItem): void;
}

/** This page's files in order, with their states. */
export class UploadQueue {
  readonly #entries = new Map<number, Entry>();
  readonly #queued: Entry[] = [];
  readonly #ports: Ports;
  readonly #listener: QueueListener;
  readonly #dispatcher: Dispatcher;
  #lastId = 0;

  constructor(ports: Ports, listener: QueueListener) {
    this.#ports = ports;
    this.#listener = listener;
    this.#dispatcher = new Dispatcher(ports, {
      next: () => takeEntries(this.#queued),
      giveBack: (entry) => this.#queued.unshift(entry),
      changed: () => listener.changed(),
      stored: (entry, result) => listener.stored(result, entry),
    });
  }

  get items(): Iterable<UploadItem> {
    return this.#entries.values();
  }

  get pause(): Pause | undefined {
    return this.#dispatcher.pause;
  }

  add(files: Iterable<File>, target: Target): void {
    const limitBytes = this.#ports.storageLimitBytes() ?? Number.POSITIVE_INFINITY;
    for (const file of files) {
      const id = ++this.#lastId;
      const entry: Entry = {
        id,
        file,
        name: file.name,
        sizeBytes: file.size,
        target,
        state: "queued",
        sentBytes: 0,
        message: undefined,
        remedy: undefined,
        result: undefined,
        mayBeStoredSince: undefined,
      };
      this.#entries.set(id, entry);
      if (file.size === 0) fail(entry, "The file is empty");
      else if (file.size > limitBytes) fail(entry, tooLargeForTier(limitBytes));
      else this.#queued.push(entry);
    }
    this.#dispatcher.pump();
  }

  retry(id: number): void {
    const entry = this.#entries.get(id);
    if (entry?.remedy === "retry") this.#requeue(entry);
    this.#dispatcher.pump();
  }

  retryAll(): void {
    for (const entry of this.#entries.values()) if (entry.remedy === "retry") this.#requeue(entry);
    this.#dispatcher.pump();
  }

  /** Uploads duplicates again, so that the account has the file twice. @param id one duplicate; all if it is not given */
  keepBoth(id?: number): void {
    for (const entry of this.#entries.values())
      if (isDuplicate(entry) && (id === undefined || id === entry.id)) this.#queued.push(toUnique(entry));
    this.#dispatcher.pump();
  }

  /** Redirects files of a deleted folder to Root. */
  sendToRoot(folderId: string | null): void {
    for (const entry of this.#entries.values()) {
      if (entry.target.folderId !== folderId || (entry.state !== "queued" && entry.remedy !== "root")) continue;
      entry.target = { ...entry.target, folderId: null };
      if (entry.remedy === "root") this.#requeue(entry);
    }
    this.#dispatcher.pump();
  }

  /** Ends a pause early. @param reasons the pauses to end; all if none is given */
  resume(...reasons: PauseReason[]): void {
    this.#dispatcher.resume(...reasons);
  }

  /** Removes a file in any state. If its request cannot be stopped, the file is deleted when it is stored. */
  cancel(id: number): void {
    this.#takeOut(id);
    this.#listener.changed();
  }

  cancelAll(): void {
    for (const { id, state } of [...this.#entries.values()]) if (!isOver(state)) this.#takeOut(id);
    this.#dispatcher.resume();
    this.#listener.changed();
  }

  /** Removes finished files. */
  clear(): void {
    for (const { id, state } of [...this.#entries.values()]) if (isOver(state)) this.#takeOut(id);
    this.#listener.changed();
  }

  #takeOut(id: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    if (isOver(entry.state)) return;
    this.#dispatcher.abort(entry);
    entry.state = "cancelled";
  }

  #requeue(entry: Entry): void {
    Object.assign(entry, { state: "queued", sentBytes: 0, message: undefined, remedy: undefined });
    this.#queued.push(entry);
  }
}
