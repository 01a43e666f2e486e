import type { UploadResult } from "../../client/index.ts";
import { deliver } from "./deliver.ts";
import { Hold } from "./hold.ts";
import { type Failure, judgeFailure, type PauseReason } from "./judge-failure.ts";
import { type Shipment, SMALL_BYTES } from "./next-shipment.ts";
import { againAfterMs, MOST_TRIES, networkAfterMs, type Pause } from "./pause.ts";
import type { FileOutcome, Ports } from "./ports.ts";
import { type Entry, fail, isDuplicate, type Remedy, toUnique } from "./upload-item.ts";

export interface DispatchListener {
  /** @returns the files of the next request; empty if none are left */
  next(): Entry[];
  /** Requeues a file at the front, for a new request. */
  giveBack(entry: Entry): void;
  changed(): void;
  stored(entry: Entry, result: UploadResult): void;
}

/**
 * Sends several requests at a time. A failure that concerns all requests (no network, a limit, no session) pauses them. A request that may
 * have been carried out is repeated with the same key, or its files are looked up first.
 */
export class Dispatcher {
  readonly #ports: Ports;
  readonly #listener: DispatchListener;
  /** Requests that are repeated before any new request. */
  readonly #returned: Shipment[] = [];
  readonly #underWay = new Set<Shipment>();
  readonly #storedIds = new Set<string>();
  /** Ids of files that were cancelled and then stored, so they are deleted. */
  readonly #removedIds = new Set<string>();
  /** Consecutive requests without a response. */
  #lostInRow = 0;
  readonly #hold: Hold;

  constructor(ports: Ports, listener: DispatchListener) {
    this.#ports = ports;
    this.#listener = listener;
    this.#hold = new Hold(ports, () => this.pump());
  }

  get pause(): Pause | undefined {
    return this.#hold.pause;
  }

  /** Sends requests until the concurrency limit is reached. */
  pump(): void {
    while (this.pause === undefined && this.#underWay.size < this.#ports.concurrency()) {
      const shipment = this.#returned.shift() ?? this.#pack();
      if (shipment === undefined) break;
      this.#underWay.add(shipment);
      void this.#send(shipment).finally(() => {
        this.#underWay.delete(shipment);
        this.pump();
      });
    }
    this.#listener.changed();
  }

  /** Ends a pause early. @param reasons the pauses to end; all if none is given */
  resume(...reasons: PauseReason[]): void {
    this.#hold.end(...reasons);
  }

  /** Aborts the request of a large file unless it is nearly sent: only then is it certain that nothing was stored. */
  abort(entry: Entry): void {
    if (entry.sizeBytes <= SMALL_BYTES || entry.sentBytes > 0.9 * entry.sizeBytes) return;
    for (const { entries, controller } of this.#underWay) {
      if (entries.length === 1 && entries[0] === entry) controller.abort();
    }
    if (entry.file !== undefined) void this.#ports.discard(entry.file, entry.target);
  }

  #pack(): Shipment | undefined {
    const entries = this.#listener.next();
    if (entries.length === 0) return undefined;
    return {
      entries,
      key: this.#ports.newKey(),
      tries: 0,
      sentAt: undefined,
      isLost: false,
      controller: new AbortController(),
    };
  }

  async #send(shipment: Shipment): Promise<void> {
    try {
      await deliver(shipment, {
        ports: this.#ports,
        known: this.#storedIds,
        changed: () => this.#listener.changed(),
        settle: (entry, outcome) => this.#settle(entry, outcome),
      });
      this.#lostInRow = 0;
    } catch (error) {
      if (!shipment.controller.signal.aborted) this.#judge(shipment, toFailure(error));
    }
  }

  #settle(entry: Entry, outcome: FileOutcome): void {
    if ("error" in outcome) {
      this.#judgeFile(entry, outcome.error);
      return;
    }
    const { _id: id, deduplicated } = outcome;
    if (entry.state === "cancelled") {
      // The older file of a duplicate stays, and so does a file that another upload of this page was answered with.
      if (deduplicated || this.#storedIds.has(id)) return;
      this.#removedIds.add(id);
      void this.#ports.remove(id).catch(() => undefined);
      return;
    }
    if (deduplicated && this.#removedIds.has(id)) {
      this.#listener.giveBack(toUnique(entry));
      return;
    }
    this.#storedIds.add(id);
    Object.assign(entry, { state: "done", sentBytes: entry.sizeBytes, result: outcome, message: undefined });
    entry.mayBeStoredSince = undefined;
    if (isDuplicate(entry)) return;
    entry.file = undefined;
    this.#listener.stored(entry, outcome);
  }

  /** Judges one failed file of a request that may have stored others. */
  #judgeFile(entry: Entry, failure: Failure): void {
    if (entry.state === "cancelled") return;
    const verdict = judgeFailure(failure, entry.sizeBytes, entry.target.folderId !== null);
    if (verdict.kind === "pause") {
      Object.assign(entry, { state: "queued", sentBytes: 0 });
      this.#listener.giveBack(entry);
      this.#hold.begin(verdict.reason, verdict.message, verdict.seconds);
    } else if (verdict.kind === "refused") {
      fail(entry, verdict.message);
    } else {
      fail(entry, failure.message, "retry");
    }
  }

  #judge(shipment: Shipment, failure: Failure): void {
    const { entries } = shipment;
    const largestBytes = Math.max(0, ...entries.map(({ sizeBytes }) => sizeBytes));
    const verdict = judgeFailure(failure, largestBytes, entries[0]?.target.folderId != null);
    if (verdict.kind !== "lost") this.#lostInRow = 0;
    switch (verdict.kind) {
      case "refused":
        failAll(entries, verdict.message);
        break;
      case "folder-gone":
        failAll(entries, verdict.message, "root");
        break;
      case "again":
        // 422: the key belongs to another request.
        if (failure.statusCode === 422) shipment.key = this.#ports.newKey();
        this.#tryAgain(shipment, verdict.message);
        break;
      case "lost":
        shipment.isLost = true;
        this.#giveBack(shipment, "Connection lost");
        this.#holdForNetwork();
        break;
      case "pause":
        this.#giveBack(shipment, verdict.message);
        this.#hold.begin(verdict.reason, verdict.message, verdict.seconds);
    }
  }

  #tryAgain(shipment: Shipment, message: string): void {
    shipment.tries += 1;
    if (shipment.tries > MOST_TRIES) {
      for (const entry of shipment.entries) entry.mayBeStoredSince = shipment.sentAt;
      failAll(shipment.entries, message, "retry");
      return;
    }
    wait(shipment.entries, message);
    this.#ports.after(againAfterMs(shipment.tries, this.#ports.random()), () => {
      this.#returned.push(shipment);
      this.pump();
    });
  }

  #giveBack(shipment: Shipment, message: string): void {
    wait(shipment.entries, message);
    this.#returned.push(shipment);
  }

  #holdForNetwork(): void {
    if (this.pause === undefined) this.#lostInRow += 1;
    const seconds = networkAfterMs(this.#lostInRow, this.#ports.random()) / 1000;
    if (this.#ports.isOnline()) this.#hold.begin("connection", "Connection lost", seconds);
    else this.#hold.begin("offline", "You are offline", seconds);
  }
}

function wait(entries: readonly Entry[], message: string): void {
  for (const entry of entries) if (entry.state !== "cancelled") Object.assign(entry, { state: "waiting", message });
}

function failAll(entries: readonly Entry[], message: string, remedy?: Remedy): void {
  for (const entry of entries) fail(entry, message, remedy);
}

/** An error without a status code is a fault of this code and is not retried. */
function toFailure(error: unknown): Failure {
  if (error instanceof Error && "statusCode" in error) return error as Error & Failure;
  return { statusCode: 400, message: error instanceof Error ? error.message : String(error) };
}
