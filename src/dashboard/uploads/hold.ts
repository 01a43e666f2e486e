import type { PauseReason } from "./judge-failure.ts";
import { type Pause, strongerPause } from "./pause.ts";
import type { Ports } from "./ports.ts";

/** Pauses that are longer end by hand: a month is more than a timer counts. */
const LONGEST_TIMER_MS = 60 * 60_000;

/** Keeps the queue from sending, until its time comes or somebody ends it. */
export class Hold {
  readonly #ports: Pick<Ports, "now" | "after">;
  readonly #onEnd: () => void;
  #pause: Pause | undefined;
  #cancelTimer = () => {};

  constructor(ports: Pick<Ports, "now" | "after">, onEnd: () => void) {
    this.#ports = ports;
    this.#onEnd = onEnd;
  }

  get pause(): Pause | undefined {
    return this.#pause;
  }

  /** @param seconds after which it ends by itself; undefined where somebody has to do something */
  begin(reason: PauseReason, message: string, seconds: number | undefined): void {
    const now = this.#ports.now();
    const pause = { reason, message, until: seconds === undefined ? undefined : now + seconds * 1000 };
    const stronger = strongerPause(this.#pause, pause);
    if (stronger === this.#pause) return;
    this.#cancelTimer();
    this.#pause = stronger;
    const waitMs = (stronger.until ?? Number.POSITIVE_INFINITY) - now;
    this.#cancelTimer = waitMs <= LONGEST_TIMER_MS ? this.#ports.after(waitMs, () => this.end()) : () => {};
  }

  /** @param reasons those that end; all where none is given */
  end(...reasons: PauseReason[]): void {
    if (this.#pause === undefined || (reasons.length > 0 && !reasons.includes(this.#pause.reason))) return;
    this.#cancelTimer();
    this.#pause = undefined;
    this.#onEnd();
  }
}
