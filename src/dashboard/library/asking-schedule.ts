/** Files that are stored one after the other are asked for together. */
const QUIET_MS = 1500;
const LONGEST_MS = 8000;

export interface Asking {
  /** Asks for what has changed. @returns when it was answered, or could not be */
  ask(): Promise<void>;
  /** Whether no more files are on their way. */
  areAllSent(): boolean;
  /** How many milliseconds lie between two askings while there are more. */
  everyMs(): number;
}

/** When a page asks for the files that it has stored: soon after the first and the last one, and now and then between them. */
export class AskingSchedule {
  readonly #asking: Asking;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #isDue = false;
  #isOver = false;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** A file was stored. */
  note(): void {
    // An asking that the next one cuts short costs its requests, and on a slow network nothing would ever be answered.
    if (this.#isAsking) this.#isDue = true;
    else this.#plan();
  }

  /** How many files are on their way may have changed. */
  look(): void {
    if (this.#timer !== undefined && this.#asking.areAllSent()) this.#plan();
  }

  /** Asks at once. */
  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#askedAt = Date.now();
    this.#isAsking = true;
    this.#isDue = false;
    await this.#asking.ask();
    this.#isAsking = false;
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
    const dueAt = this.#asking.areAllSent() ? quietAt : Math.max(quietAt, this.#askedAt + this.#asking.everyMs());
    this.#timer = setTimeout(() => void this.ask(), Math.max(0, dueAt - now));
  }
}
