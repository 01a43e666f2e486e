import { type PackedView, packedViews, type View } from "../domain/view-pack.ts";

/** A place in the log, between two operations. */
export interface LogPosition {
  readonly at: number;
  readonly id: string;
}

/** So many more than are wanted may be held, before the oldest of them are let go. */
const SPARE = 5000;

/** The newest of views that come in any order: so many of those that are older than a place in the log, and not before a moment. */
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

  /** Whether none of what comes before `at` can be wanted. */
  isCompleteFrom(at: number): boolean {
    if (this.#held.length < this.#limit) return false;
    let newer = 0;
    for (const view of this.#held) if (view.at >= at) newer += 1;
    return newer >= this.#limit;
  }

  /** Newest first; those of one millisecond by their ids, from the last one. */
  take(): View[] {
    this.#letGo();
    return this.#held.map((view) => view.unpack());
  }

  #letGo(): void {
    this.#held.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
    this.#held.length = Math.min(this.#held.length, this.#limit);
  }
}
