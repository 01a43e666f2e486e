/** Files that are stored one after the other share one refresh. */
const QUIET_MS = 1500;
const LONGEST_MS = 8000;

export interface Refresher {
  /** Fetches the changes. @returns when the fetch has succeeded or failed */
  refresh(): Promise<void>;
  areAllSent(): boolean;
  /** The least time between two refreshes while uploads are in progress. */
  everyMs(): number;
}

/** Decides when a page fetches the files that it has stored: soon after the first file, at intervals, and after the last. */
export class RefreshSchedule {
  readonly #refresher: Refresher;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #isRefreshing = false;
  #isDue = false;
  #isOver = false;

  constructor(refresher: Refresher) {
    this.#refresher = refresher;
  }

  note(): void {
    // A refresh that the next refresh cancels has wasted its requests. On a slow network no refresh would ever finish.
    if (this.#isRefreshing) this.#isDue = true;
    else this.#plan();
  }

  /** The number of files left to send may have changed. */
  look(): void {
    if (this.#timer !== undefined && this.#refresher.areAllSent()) this.#plan();
  }

  /** Refreshes at once. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#refreshedAt = Date.now();
    this.#isRefreshing = true;
    this.#isDue = false;
    await this.#refresher.refresh();
    this.#isRefreshing = false;
    if (this.#isDue && !this.#isOver) this.#plan();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    const now = Date.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const quietAt = Math.min(now + QUIET_MS, this.#since + LONGEST_MS);
    const dueAt = this.#refresher.areAllSent()
      ? quietAt
      : Math.max(quietAt, this.#refreshedAt + this.#refresher.everyMs());
    this.#timer = setTimeout(() => void this.refresh(), Math.max(0, dueAt - now));
  }
}
