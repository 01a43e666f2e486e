import { DurableObject } from "cloudflare:workers";
import { toLogLine } from "../domain/log-line.ts";
import type { ViewsCollected } from "../domain/queue-messages.ts";
import type { View } from "../domain/view-pack.ts";
import { type JournaledView, JournalStore } from "./journal-store.ts";
import { wholeNumber } from "./whole-number.ts";

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
class RecentViews {
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

/**
 * The minimum time between two writes. A longer time costs less (a row for each write) but keeps more calls waiting. Viewers do not wait
 * for these calls.
 */
const GROUP_MS = 250;
/** The most views that wait for their group. More views mean more calls than one object can answer. */
const MAX_GROUP_VIEWS = 2000;
/** The clocks of two machines differ by less than this. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
const DEFAULT_FLUSH_SECONDS = 60;
const MAX_FLUSH_SECONDS = 3600;

/** The bindings that a journal uses. */
export interface JournalEnv {
  readonly VIEWS: Queue<ViewsCollected>;
  readonly VIEW_FLUSH_SECONDS: string;
}

/** `recorded`: the view is stored and will be counted. `refused`: this journal does not take the view, and may or may not have it already. */
export type ViewReceipt = "recorded" | "refused";

/**
 * Collects views, so that a view costs no queue message or row of its own. Views that arrive within a quarter of a second are stored in one
 * row. About once a minute the stored views go into the queue, packed by account. A view is confirmed when it is stored; a repeated view is
 * taken once. A sequence is removed only after the queue has accepted it. A sequence that is sent twice keeps its number, and the account's
 * meter counts it once.
 */
export class ViewJournal extends DurableObject<JournalEnv> {
  readonly #store: JournalStore;
  readonly #recent: RecentViews;
  /** The views of the next group, by id. */
  readonly #waiting = new Map<string, JournaledView>();
  #writing: Promise<void> | undefined;
  #writtenAt = 0;
  /** The time of the next alarm; null if none is set. */
  #alarmAt: number | null = null;

  constructor(state: DurableObjectState, env: JournalEnv) {
    super(state, env);
    this.#store = new JournalStore(state.storage);
    this.#recent = new RecentViews(this.#store.sealedAt);
    for (const views of this.#store.unsealed()) this.#recent.add(views);
    state.blockConcurrencyWhile(async () => {
      this.#alarmAt = await state.storage.getAlarm();
    });
  }

  /**
   * Stores each view once. A caller that gets no answer repeats the call with the same ids and times.
   * @returns a receipt for each view, in order
   */
  async record(views: readonly JournaledView[]): Promise<ViewReceipt[]> {
    const receipts = views.map((view) => this.#take(view));
    if (views.some(({ id }) => this.#waiting.has(id))) {
      this.#writing ??= this.#untilNextGroup().then(() => this.#write());
      await this.#writing;
    }
    return receipts;
  }

  /** Sends the stored views. The next alarm repeats the sequences that the queue did not accept. */
  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    try {
      for (const sequence of this.#store.seal(this.#recent.newestAt)) {
        const packs = this.#store.read(sequence);
        const message = { type: "views.collected", journal: this.#store.id, sequence, packs } as const;
        await this.env.VIEWS.send(message, { contentType: "v8" });
        this.#store.remove(sequence);
      }
    } catch (error) {
      console.error(toLogLine("views.not-sent", { journal: this.#store.id }, error));
    }
    if (!this.#store.isEmpty) await this.#scheduleFlush();
  }

  #take(view: JournaledView): ViewReceipt {
    if (this.#recent.has(view.id) || this.#waiting.has(view.id)) return "recorded";
    if (!this.#mayTake(view)) return "refused";
    this.#waiting.set(view.id, view);
    return "recorded";
  }

  /** A view that is as old as removed views may be one of them. */
  #mayTake({ at }: JournaledView): boolean {
    if (this.#store.isFull || this.#waiting.size >= MAX_GROUP_VIEWS) return false;
    return at > this.#recent.knownSince && at <= Date.now() + MAX_CLOCK_DIFFERENCE_MS;
  }

  /** A view after a quiet time is written at once. */
  async #untilNextGroup(): Promise<void> {
    const sinceMs = Date.now() - this.#writtenAt;
    // A clock that was set back does not prolong the wait.
    const waitMs = sinceMs < 0 ? 0 : Math.max(0, GROUP_MS - sinceMs);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  /** Stores the waiting views and sets the alarm in the same transaction: nothing is awaited between the two. */
  async #write(): Promise<void> {
    const views = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#writing = undefined;
    this.#writtenAt = Date.now();
    this.#store.append(views);
    this.#recent.add(views);
    await this.#scheduleFlush();
  }

  /** All journals send at the same times, so an account's object is called once for the views of several journals. */
  async #scheduleFlush(): Promise<void> {
    if (this.#alarmAt !== null) return;
    const flushMs = 1000 * wholeNumber(this.env.VIEW_FLUSH_SECONDS, 1, MAX_FLUSH_SECONDS, DEFAULT_FLUSH_SECONDS);
    const alarmAt = (Math.floor(Date.now() / flushMs) + 1) * flushMs;
    this.#alarmAt = alarmAt;
    await this.ctx.storage.setAlarm(alarmAt).catch((error: unknown) => {
      this.#alarmAt = null;
      throw error;
    });
  }
}
