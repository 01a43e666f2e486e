import { seededRandom } from "../jpeg/seeded-random.ts";
import type { Weather } from "./weather.ts";

/** Holds back everything that an object sends until its writes are durable (Durable Objects, "output gates"). */
export interface OutputGate {
  /** Increases with every write. */
  readonly version: number;
  /** Writes up to this version survive a reset. */
  readonly durableVersion: number;
  /** Makes all writes durable. */
  flush(): void;
}

/** Code that dies as a whole: a request's isolate, or one life of a Durable Object. */
export interface Party {
  readonly name: string;
  isAlive: boolean;
  readonly gate?: OutputGate;
  /** The number of its calls that a fault affected. */
  disturbances: number;
}

/** An event that may happen next. */
export interface Step {
  readonly label: () => string;
  /** The party whose code continues afterwards. */
  readonly party: Party;
  /** The earliest time; Infinity for never. */
  readonly readyAt: number;
  /** The latest time, because no call takes forever. */
  readonly deadline: number;
  /** The version of its party's writes when a call was sent. */
  readonly version?: number;
  /** The timer that this step belongs to. */
  readonly timer?: object;
  run(): void;
}

export type Outcome = "done" | "failed" | "lost";

/** The error of a store that cannot be reached. */
export type Failure = () => Error;

const SLOW_MS = 10_000;
/** The longest delay of a call, and of an answer. Both together are half of an intent's timeout. */
export const MAX_DELAY_MS = 30_000;

/** Its seed decides the next event. All asynchronous calls go through it: they wait here before their effect, and after it. */
export class Scheduler {
  readonly #order: () => number;
  readonly #faults: () => number;
  readonly #suppressed: ReadonlySet<number>;
  readonly #steps: Step[] = [];
  readonly weather: Weather;
  /** The virtual time, in milliseconds since the epoch. */
  now: number;
  /** The party whose code is running. */
  current: Party | undefined;
  isCalm = true;
  isClosed = false;
  /** The number of steps that were taken. */
  count = 0;
  /** Faults that happened, by the number of their draw. */
  readonly happened: number[] = [];
  #draws = 0;
  /** The first error that a client found. */
  failure: unknown;
  /** The number of calls, answers and lives that were taken away. */
  harms = 0;
  trace: ((line: string) => void) | undefined;

  constructor(seed: number, options: { weather: Weather; startsAt: number; suppressed: ReadonlySet<number> }) {
    this.#order = seededRandom(seed ^ 0x5bd1e995);
    this.#faults = seededRandom(seed ^ 0x27d4eb2f);
    this.#suppressed = options.suppressed;
    this.weather = options.weather;
    this.now = options.startsAt;
  }

  /** A number from 0 up to 1, for decisions other than faults. */
  random(): number {
    return this.#order();
  }

  /** Whether a fault of this probability happens now. */
  strikes(probability: number): boolean {
    const draw = this.#draws++;
    const struck = this.#faults() < probability && !this.isCalm && !this.#suppressed.has(draw);
    if (struck) this.happened.push(draw);
    return struck;
  }

  fail(error: unknown): void {
    this.failure ??= error;
  }

  harm(party: Party): void {
    this.harms += 1;
    party.disturbances += 1;
  }

  note(text: () => string): void {
    this.trace?.(`      ${text()}`);
  }

  park(step: Step): void {
    this.#steps.push(step);
  }

  /** Removes the steps that a test selects. */
  remove(isRemoved: (step: Step) => boolean): Step[] {
    const removed = this.#steps.filter(isRemoved);
    for (const step of removed) this.#steps.splice(this.#steps.indexOf(step), 1);
    return removed;
  }

  get pending(): readonly Step[] {
    return this.#steps;
  }

  /** The time at which a step that is added now may happen. */
  readyAt(): number {
    return this.random() < this.weather.slow && !this.isCalm
      ? this.now + Math.floor(this.random() * SLOW_MS)
      : this.now;
  }

  /**
   * Calls a store: waits, applies the effect, waits, and answers. It may fail before the effect or lose the answer.
   * @param effect synchronous; an error that it throws is the store's answer
   */
  call<T>(party: Party, label: () => string, failure: Failure, effect: () => T): Promise<T> {
    if (this.isClosed) return Promise.reject(new Error("The schedule is over"));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#send(party, label, () => {
      if (this.strikes(this.weather.fail) && party.isAlive) {
        this.harm(party);
        return this.#answer(party, label, "failed", () => reject(failure()));
      }
      const answer = attempt(effect, resolve, reject);
      if (!party.isAlive) return;
      const isLost = this.strikes(this.weather.lose);
      if (isLost) this.harm(party);
      this.#answer(party, label, isLost ? "lost" : "done", isLost ? () => reject(failure()) : answer);
    });
    return promise;
  }

  /** Sends something for a party when its writes are durable, even if the party has died since. */
  #send(party: Party, label: () => string, run: () => void): void {
    this.park({
      label: () => `${party.name} -> ${label()}`,
      party,
      readyAt: this.readyAt(),
      deadline: this.now + MAX_DELAY_MS,
      version: party.gate?.version ?? 0,
      run: () => {
        if (party.isAlive) party.gate?.flush();
        run();
      },
    });
  }

  #answer(party: Party, label: () => string, outcome: Outcome, run: () => void): void {
    this.park({
      label: () => `${party.name} <- ${label()}: ${outcome}`,
      party,
      readyAt: this.readyAt(),
      deadline: this.now + MAX_DELAY_MS,
      run,
    });
  }

  /** Stops a party's code. Calls that it has sent may still arrive, but not calls that waited for its own writes. */
  kill(party: Party): void {
    party.isAlive = false;
    this.harms += 1;
    const durable = party.gate?.durableVersion ?? 0;
    this.remove((step) => {
      if (step.party !== party) return false;
      const hasLeft = step.version !== undefined && step.version <= durable;
      return !hasLeft || this.random() < 0.5;
    });
    if (this.weather.late === 0) return;
    const late = this.remove((step) => step.party === party && this.strikes(this.weather.late));
    for (const step of late) {
      const readyAt = Math.min(step.deadline, this.now + Math.floor(this.random() * SLOW_MS));
      this.park({ ...step, readyAt });
    }
  }

  /** Takes the next step. @returns false if there is none */
  step(): boolean {
    const step = this.#choose();
    if (step === undefined) return false;
    this.#steps.splice(this.#steps.indexOf(step), 1);
    this.count += 1;
    this.now += Math.floor(this.random() * 3);
    this.trace?.(`${String(this.count).padStart(4)}  ${step.label()}`);
    this.current = step.party;
    step.run();
    return true;
  }

  #choose(): Step | undefined {
    const { now } = this;
    let next = Number.POSITIVE_INFINITY;
    let deadline = Number.POSITIVE_INFINITY;
    const ready: Step[] = [];
    for (const step of this.#steps) {
      if (step.deadline < deadline) deadline = step.deadline;
      if (step.readyAt <= now) ready.push(step);
      else if (step.readyAt < next) next = step.readyAt;
    }
    if (deadline <= now) return this.#pick(ready.filter((step) => step.deadline <= now));
    const jumps = ready.length === 0 || (this.random() < this.weather.jump && !this.isCalm);
    if (jumps && next < Number.POSITIVE_INFINITY) {
      this.now = Math.min(next, deadline);
      this.note(() => `${((this.now - now) / 1000).toFixed(1)} s pass`);
      return this.#choose();
    }
    return this.#pick(ready);
  }

  #pick(steps: readonly Step[]): Step | undefined {
    return steps[Math.floor(this.random() * steps.length)];
  }
}

function attempt<T>(effect: () => T, resolve: (value: T) => void, reject: (error: unknown) => void): () => void {
  try {
    const result = effect();
    return () => resolve(result);
  } catch (error) {
    return () => reject(error);
  }
}
