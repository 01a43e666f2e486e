import type { PauseReason } from "./judge-failure.ts";
import { type Pause, strongerPause } from "./pause.ts";
import type { Ports } from "./ports.ts";

/** A longer pause ends only by hand: a month exceeds a timer's range. */
const LONGEST_TIMER_MS = 60 * 60_000;

/** Pauses the queue until a time, or until the user ends the pause. */
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

  /** @param seconds after which it ends automatically; undefined if the user has to act */
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

  /** @param reasons the pauses to end; all if none is given */
  end(...reasons: PauseReason[]): void {
    if (this.#pause === undefined || (reasons.length > 0 && !reasons.includes(this.#pause.reason))) return;
    this.#cancelTimer();
    this.#pause = undefined;
    this.#onEnd();
  }
}
