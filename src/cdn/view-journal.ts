import { DurableObject } from "cloudflare:workers";
import { toLogLine } from "../domain/log-line.ts";
import type { CdnEnv } from "./env.ts";
import { type JournaledView, JournalStore } from "./journal-store.ts";
import { RecentViews } from "./recent-views.ts";
import { wholeNumber } from "./whole-number.ts";

/**
 * A group of views is written at most so often. Longer costs less (a row each time) and has more calls wait; those who call
 * make nobody wait.
 */
const GROUP_MS = 250;
/** Views that wait for their group. Beyond them there are more calls than one object can answer. */
const MAX_GROUP_VIEWS = 2000;
/** The clocks of two machines differ by less. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
const DEFAULT_FLUSH_SECONDS = 60;
const MAX_FLUSH_SECONDS = 3600;

/** `recorded`: it is stored and will be counted. `refused`: this journal does not take it, and may or may not have it already. */
export type ViewReceipt = "recorded" | "refused";

/**
 * Collects views, so that none costs a queue message or a row of its own. Views that come within a quarter of a second are
 * stored in one row; about once a minute what is stored goes into the queue, packed by account. A view is answered when it is
 * stored, and taken once, however often it is told. Nothing is forgotten before the queue has taken it, and what is sent twice has the same
 * sequence, which the account's meter counts once.
 */
export class ViewJournal extends DurableObject<CdnEnv> {
  readonly #store: JournalStore;
  readonly #recent: RecentViews;
  /** By id, those that the next group will have. */
  readonly #waiting = new Map<string, JournaledView>();
  #writing: Promise<void> | undefined;
  #writtenAt = 0;
  /** When the alarm will ring; null where none is set. */
  #alarmAt: number | null = null;

  constructor(state: DurableObjectState, env: CdnEnv) {
    super(state, env);
    this.#store = new JournalStore(state.storage);
    this.#recent = new RecentViews(this.#store.sealedAt);
    for (const views of this.#store.unsealed()) this.#recent.add(views);
    state.blockConcurrencyWhile(async () => {
      this.#alarmAt = await state.storage.getAlarm();
    });
  }

  /**
   * Stores views, each once. Whoever is not answered tells them again, with the same ids and times.
   * @returns what became of each, in their order
   */
  async record(views: readonly JournaledView[]): Promise<ViewReceipt[]> {
    const receipts = views.map((view) => this.#take(view));
    if (views.some(({ id }) => this.#waiting.has(id))) {
      this.#writing ??= this.#untilNextGroup().then(() => this.#write());
      await this.#writing;
    }
    return receipts;
  }

  /** Sends what is stored. What the queue does not take is sent the next time. */
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

  /** A view that is as old as those which were sent and removed may be one of them. */
  #mayTake({ at }: JournaledView): boolean {
    if (this.#store.isFull || this.#waiting.size >= MAX_GROUP_VIEWS) return false;
    return at > this.#recent.knownSince && at <= Date.now() + MAX_CLOCK_DIFFERENCE_MS;
  }

  /** A view that comes after a while without any is written at once. */
  async #untilNextGroup(): Promise<void> {
    const sinceMs = Date.now() - this.#writtenAt;
    // A clock that was set back does not make anybody wait longer.
    const waitMs = sinceMs < 0 ? 0 : Math.max(0, GROUP_MS - sinceMs);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  /** Stores those that wait, and sets the alarm in the same transaction: nothing is awaited between the two. */
  async #write(): Promise<void> {
    const views = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#writing = undefined;
    this.#writtenAt = Date.now();
    this.#store.append(views);
    this.#recent.add(views);
    await this.#scheduleFlush();
  }

  /** All journals send at the same moments: an account's meter is called once for what several have of it. */
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
