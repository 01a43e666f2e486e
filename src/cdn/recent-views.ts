import type { View } from "../domain/view-pack.ts";

/** So many views are known by their ids at least: at 1,000 a second those of half a minute, and they take 4 MB. */
const KNOWN_VIEWS = 32_000;
/** Ids are forgotten so many at a time. */
const GROUP_VIEWS = 1000;

interface Group {
  readonly ids: Set<string>;
  newestAt: number;
}

/**
 * The ids of the views that a journal took last, so that one that is told again is not taken again. What is older than all of
 * these is not told apart: the journal takes no view that is not newer than `knownSince`.
 */
export class RecentViews {
  /** Oldest first. */
  readonly #groups: Group[] = [];
  #knownSince: number;

  /** @param knownSince every view that is newer than this and was taken will be added */
  constructor(knownSince: number) {
    this.#knownSince = knownSince;
  }

  /** A moment in milliseconds since the epoch, by the clocks of those who tell of views. It never goes back. */
  get knownSince(): number {
    return this.#knownSince;
  }

  /** The newest moment of a view that was added, or `knownSince`. */
  get newestAt(): number {
    return this.#groups.reduce((newest, group) => Math.max(newest, group.newestAt), this.#knownSince);
  }

  has(id: string): boolean {
    return this.#groups.some(({ ids }) => ids.has(id));
  }

  add(views: readonly View[]): void {
    for (const { id, at } of views) {
      const group = this.#groupWithRoom();
      group.ids.add(id);
      group.newestAt = Math.max(group.newestAt, at);
    }
  }

  #groupWithRoom(): Group {
    const last = this.#groups.at(-1);
    if (last !== undefined && last.ids.size < GROUP_VIEWS) return last;
    const begun: Group = { ids: new Set(), newestAt: 0 };
    if (this.#groups.push(begun) * GROUP_VIEWS > KNOWN_VIEWS + GROUP_VIEWS) {
      this.#knownSince = Math.max(this.#knownSince, this.#groups.shift()?.newestAt ?? 0);
    }
    return begun;
  }
}
