import { type PackedView, packedViews, type View } from "../../domain/view-pack.ts";
import type { LogPosition } from "./log-position.ts";

/** The views that may be held beyond `limit` before the oldest are dropped. */
const SPARE = 5000;

/** Keeps the newest `limit` views of an unsorted stream, before a position in the log and not before a time. */
export class NewestViews {
  readonly #limit: number;
  readonly #before: LogPosition;
  readonly #from: number;
  #held: PackedView[] = [];

  constructor(limit: number, before: LogPosition, from: number) {
    this.#limit = limit;
    this.#before = before;
    this.#from = from;
  }

  add(packs: ArrayBuffer): void {
    for (const view of packedViews(new Uint8Array(packs))) {
      const { at } = view;
      if (at < this.#from || at > this.#before.at) continue;
      if (at === this.#before.at && view.id >= this.#before.id) continue;
      this.#held.push(view);
      if (this.#held.length > this.#limit + SPARE) this.#letGo();
    }
  }

  /** Whether no view before `at` can be needed. */
  isCompleteFrom(at: number): boolean {
    if (this.#held.length < this.#limit) return false;
    let newer = 0;
    for (const view of this.#held) if (view.at >= at) newer += 1;
    return newer >= this.#limit;
  }

  /** Newest first; views of the same millisecond are sorted by descending id. */
  take(): View[] {
    this.#letGo();
    return this.#held.map((view) => view.unpack());
  }

  #letGo(): void {
    this.#held.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
    this.#held.length = Math.min(this.#held.length, this.#limit);
  }
}
