import type { MediaObject, UploadResult } from "../../client/index.ts";
import { toast } from "../design/toast.tsx";
import { whenOnline } from "../design/when-online.ts";
import { EMPTY } from "./empty-snapshot.ts";
import type { EngineListener } from "./engine.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Target } from "./upload-item.ts";
import type { UploadQueue } from "./upload-queue.ts";

export interface UploadEvents {
  stored: UploadResult;
  /** A video's thumbnail is ready or has failed. */
  thumbnail: MediaObject;
}

type Listeners = { [Name in keyof UploadEvents]: Set<(event: UploadEvents[Name]) => void> };

/** This page's uploads. Its engine is loaded with the first file and outlives every component. */
class Uploads {
  #queue: Promise<UploadQueue> | undefined;
  #snapshot = EMPTY;
  #storedFiles = 0;
  /** Addresses of local pictures, by the id of the stored file. */
  readonly pictures = new Map<string, string>();
  readonly #watchers = new Set<() => void>();
  readonly #listeners: Listeners = { stored: new Set(), thumbnail: new Set() };

  add(files: Iterable<File>, given: Partial<Target> = {}): void {
    const all = [...files];
    const target = { folderId: null, tags: [], ...given };
    if (all.length === 0) return;
    this.#withQueue((queue) => queue.add(all, target)).catch(() => {
      toast({
        tone: "danger",
        title: "The files could not be added",
        description: "A part of this page did not load. Nothing was uploaded.",
        action: { title: "Try again", run: () => this.add(all, target) },
        timeoutMs: 0,
      });
    });
  }

  /** @returns a function that unsubscribes */
  subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  };

  /** Loads the engine early, because the network may be away when the first file is added. */
  prepare(): void {
    void import("./engine.ts").catch(() => undefined);
  }

  getSnapshot = (): Snapshot => this.#snapshot;

  /** The number of files stored since the page was opened. */
  get storedFiles(): number {
    return this.#storedFiles;
  }

  /** @returns a function that unsubscribes */
  on<Name extends keyof UploadEvents>(name: Name, listener: (event: UploadEvents[Name]) => void): () => void {
    this.#listeners[name].add(listener);
    return () => void this.#listeners[name].delete(listener);
  }

  retry = (id: number) => this.#withQueue((queue) => queue.retry(id));
  retryAll = () => this.#withQueue((queue) => queue.retryAll());
  keepBoth = (id?: number) => this.#withQueue((queue) => queue.keepBoth(id));
  sendToRoot = (folderId: string | null) => this.#withQueue((queue) => queue.sendToRoot(folderId));
  resume = () => this.#withQueue((queue) => queue.resume());
  cancel = (id: number) => this.#withQueue((queue) => queue.cancel(id));
  cancelAll = () => this.#withQueue((queue) => queue.cancelAll());
  clear = () => this.#withQueue((queue) => queue.clear());

  async #withQueue(act: (queue: UploadQueue) => void): Promise<void> {
    this.#queue ??= this.#start().catch((error: unknown) => {
      this.#queue = undefined;
      throw error;
    });
    act(await this.#queue);
  }

  async #start(): Promise<UploadQueue> {
    // Files that are added meanwhile wait for the same import.
    const { startEngine } = await whenOnline(() => import("./engine.ts"));
    const listener: EngineListener = {
      pictures: this.pictures,
      shown: (snapshot) => {
        this.#snapshot = snapshot;
        for (const watcher of this.#watchers) watcher();
      },
      stored: (result) => {
        this.#storedFiles += 1;
        this.#emit("stored", result);
      },
      thumbnailSettled: (media) => this.#emit("thumbnail", media),
    };
    return startEngine(listener);
  }

  #emit<Name extends keyof UploadEvents>(name: Name, event: UploadEvents[Name]): void {
    for (const listener of this.#listeners[name]) listener(event);
  }
}

export const uploads = new Uploads();
