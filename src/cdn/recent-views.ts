import type { View } from "../domain/view-pack.ts";

/** The least number of views whose ids are known: half a minute at 1,000 a second, 4 MB. */
const KNOWN_VIEWS = 32_000;
/** Ids are forgotten in groups of this size. */
const GROUP_VIEWS = 1000;

interface Group {
  readonly ids: Set<string>;
  newestAt: number;
}

/**
 * The ids of a journal's latest views, so that a repeated view is not taken twice. Older views cannot be recognised, so the journal takes
 * only views that are newer than `knownSince`.
 */
export class RecentViews {
  /** Oldest first. */
  readonly #groups: Group[] = [];
  #knownSince: number;

  /** @param knownSince every view that is newer than this and was taken will be added */
  constructor(knownSince: number) {
    this.#knownSince = knownSince;
  }

  /** Milliseconds since the epoch, by the senders' clocks. It never goes back. */
  get knownSince(): number {
    return this.#knownSince;
  }

  /** The time of the newest added view, or `knownSince`. */
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
