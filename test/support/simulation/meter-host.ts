import { AccountMeter } from "../../../src/meter/account-meter.ts";
import { rpcMethods } from "../rpc-methods.ts";
import { ObjectStorage } from "./object-storage.ts";
import type { Party, Scheduler } from "./scheduler.ts";
import { MAX_DELAY_MS } from "./scheduler.ts";
import type { SqlDatabase } from "./sql.ts";

/** A schedule ends before this time: alarms of the far future forget old operations and imports. */
const FAR_MS = 20 * 24 * 60 * 60_000;

/** An alarm whose handler failed rings again after this. */
const ALARM_RETRY_MS = 2000;

type Method = (...args: unknown[]) => unknown;

/** One life of an object: from the call that started it to the reset or eviction that clears its memory. */
interface Returned {
  readonly life: Life;
  readonly work: () => Promise<unknown>;
}

interface Life {
  readonly party: Party;
  readonly meter: AccountMeter;
  /** Unanswered calls: each function rejects one with an error. */
  readonly calls: Set<(error: Error) => void>;
}

const METHODS = rpcMethods(AccountMeter);

/** The error of a call that the runtime lost. Most of these errors are marked as retryable. */
function lostCall(scheduler: Scheduler): Error {
  const flags = scheduler.random() < 0.85 ? { retryable: true } : {};
  return Object.assign(new Error("Network connection lost."), flags, { remote: true });
}

function resetError(): Error {
  return Object.assign(new Error("Durable Object reset because its code was updated."), {
    durableObjectReset: true,
    retryable: true,
    remote: true,
  });
}

/** An account's Durable Object: its storage, which survives, and its lives. */
export class MeterHost {
  readonly name: string;
  readonly storage: ObjectStorage;
  readonly #scheduler: Scheduler;
  readonly #bindings: (party: Party) => Env;
  #life: Life | undefined;
  #lives = 0;
  /** Alarms of one object are handled one after the other. */
  #isRinging = false;
  #ringsNotBefore = 0;

  constructor(
    name: string,
    database: SqlDatabase,
    options: { readonly scheduler: Scheduler; readonly bindings: (party: Party) => Env },
  ) {
    this.name = name;
    this.storage = new ObjectStorage(database);
    this.#scheduler = options.scheduler;
    this.#bindings = options.bindings;
    this.#parkAlarm();
  }

  /** Multipart uploads that the object knows of, and must complete or abort. */
  readonly announced = new Set<string>();

  /** The stub through which a party calls the object. */
  stub(caller: Party): DurableObjectStub<AccountMeter> {
    const methods = METHODS.map((method) => [method, (...args: unknown[]) => this.#call(caller, method, args)]);
    return Object.fromEntries(methods) as DurableObjectStub<AccountMeter>;
  }

  get isIdle(): boolean {
    const life = this.#life;
    if (life === undefined || life.calls.size > 0) return false;
    return !this.#scheduler.pending.some(({ party }) => party === life.party);
  }

  get isAwake(): boolean {
    return this.#life !== undefined;
  }

  /** An idle object loses its memory, and nothing else. */
  evict(): void {
    this.storage.flush();
    if (this.#life !== undefined) this.#life.party.isAlive = false;
    this.#life = undefined;
  }

  /** Resets the object, like a deployment or a machine failure: memory and writes that are not durable are lost, and calls fail. */
  reset(): void {
    const life = this.#life;
    if (life === undefined) return;
    this.#life = undefined;
    this.#isRinging = false;
    this.#scheduler.kill(life.party);
    this.storage.reset();
    for (const end of life.calls) end(resetError());
  }

  #wake(): Life {
    if (this.#life !== undefined) return this.#life;
    const party: Party = {
      name: `meter${this.name}.${++this.#lives}`,
      isAlive: true,
      gate: this.storage,
      disturbances: 0,
    };
    this.#scheduler.current = party;
    const state = {
      id: { name: this.name, toString: () => this.name },
      storage: this.storage,
      waitUntil: () => undefined,
      blockConcurrencyWhile: (work: () => Promise<unknown>) => work(),
    };
    const meter = new AccountMeter(state as unknown as DurableObjectState, this.#bindings(party));
    this.#life = { party, meter, calls: new Set() };
    return this.#life;
  }

  /** @param returned the function that an earlier call has returned, in place of a method */
  #call(caller: Party, method: string, args: readonly unknown[], returned?: Returned): Promise<unknown> {
    const scheduler = this.#scheduler;
    if (scheduler.isClosed) return Promise.reject(new Error("The schedule is over"));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const sent = structuredClone(args);
    scheduler.park({
      label: () => `${caller.name} -> meter.${method} ${JSON.stringify(args).slice(0, 120)}`,
      party: caller,
      readyAt: scheduler.readyAt(),
      deadline: scheduler.now + MAX_DELAY_MS,
      version: caller.gate?.version ?? 0,
      run: () => {
        if (scheduler.strikes(scheduler.weather.fail) && caller.isAlive) {
          scheduler.harm(caller);
          this.#answer(
            caller,
            () => `meter.${method}: failed`,
            () => reject(lostCall(scheduler)),
          );
          return;
        }
        this.#deliver(caller, { method, args: sent, returned, resolve, reject });
      },
    });
    return promise;
  }

  #deliver(
    caller: Party,
    call: {
      readonly method: string;
      readonly args: readonly unknown[];
      readonly returned: Returned | undefined;
      resolve(value: unknown): void;
      reject(error: unknown): void;
    },
  ): void {
    const { method, args, returned, resolve, reject } = call;
    // A function of an earlier life is gone with it.
    if (returned !== undefined && !returned.life.party.isAlive) {
      reject(resetError());
      return;
    }
    const life = this.#wake();
    this.#scheduler.current = life.party;
    const end = (error: Error) => {
      this.#scheduler.harm(caller);
      this.#answer(
        caller,
        () => `meter.${method}: reset`,
        () => reject(error),
      );
    };
    life.calls.add(end);
    const answer = (outcome: () => string, settle: () => void) => {
      if (!life.party.isAlive) return;
      const isLost = this.#scheduler.strikes(this.#scheduler.weather.lose);
      if (isLost) this.#scheduler.harm(caller);
      const label = () => `meter.${method}: ${isLost ? "lost" : outcome()} (to ${caller.name})`;
      const announced = method === "renew" ? this.#announcedBy(args) : undefined;
      const step = () => {
        // Nothing is sent before all earlier writes are durable.
        this.storage.flush();
        if (announced !== undefined) this.announced.add(announced);
        life.calls.delete(end);
        if (!caller.isAlive) return;
        this.#scheduler.current = caller;
        if (isLost) reject(lostCall(this.#scheduler));
        else settle();
      };
      this.#answer(life.party, label, step);
    };
    const run = async () =>
      returned === undefined ? (life.meter as unknown as Record<string, Method>)[method]?.(...args) : returned.work();
    run().then(
      (value) =>
        answer(
          () => describe(value),
          () => resolve(this.#receive(value, { caller, life, method })),
        ),
      (error: unknown) =>
        answer(
          () => String(error),
          () => reject(new Error(String(error))),
        ),
    );
  }

  /** The answer as its caller receives it: a copy, with functions that call this life of the object. */
  #receive(
    value: unknown,
    { caller, life, method }: { readonly caller: Party; readonly life: Life; readonly method: string },
  ): unknown {
    const isPlain = typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype;
    if (isPlain) return structuredClone(value);
    const received = Object.entries(value).map(([name, each]: [string, unknown]) => {
      if (typeof each !== "function") return [name, structuredClone(each)];
      const work = each as () => Promise<unknown>;
      return [name, () => this.#call(caller, `${method}.${name}`, [], { life, work })];
    });
    return { ...Object.fromEntries(received), [Symbol.dispose]: () => undefined };
  }

  /** The multipart upload in a call of `renew`, if its upload is still announced. */
  #announcedBy([, multipart]: readonly unknown[]): string | undefined {
    const id = (multipart as { multipartUploadId: string } | undefined)?.multipartUploadId;
    const isKnown = this.storage.query("SELECT 1 FROM intents WHERE payload LIKE ?", `%"${id}"%`).length > 0;
    return isKnown ? id : undefined;
  }

  #answer(party: Party, label: () => string, run: () => void): void {
    this.#scheduler.park({
      label: () => `${party.name} <- ${label()}`,
      party,
      readyAt: this.#scheduler.readyAt(),
      deadline: this.#scheduler.now + MAX_DELAY_MS,
      run,
    });
  }

  /** A step that always exists. It is due when the alarm is due. */
  #parkAlarm(): void {
    const scheduler = this.#scheduler;
    const dueAt = () =>
      this.#isRinging ? Number.POSITIVE_INFINITY : Math.max(this.storage.alarmDueAt, this.#ringsNotBefore);
    const startedAt = scheduler.now;
    scheduler.park({
      label: () => `meter${this.name}: the alarm`,
      party: { name: this.name, isAlive: true, disturbances: 0 },
      get readyAt() {
        const at = dueAt();
        return at > startedAt + FAR_MS ? Number.POSITIVE_INFINITY : at;
      },
      deadline: Number.POSITIVE_INFINITY,
      run: () => {
        this.#parkAlarm();
        this.#ring();
      },
    });
  }

  #ring(): void {
    const { storage } = this;
    const life = this.#wake();
    const scheduler = this.#scheduler;
    scheduler.current = life.party;
    // The object is not idle before its handler has ended.
    const end = () => undefined;
    life.calls.add(end);
    this.#isRinging = true;
    storage.flush();
    storage.beginAlarm();
    const finish = (succeeded: boolean) => {
      life.calls.delete(end);
      if (!life.party.isAlive) return;
      this.#isRinging = false;
      const repeats = scheduler.strikes(scheduler.weather.repeat);
      storage.endAlarm({ succeeded: succeeded && !repeats });
    };
    life.meter.alarm().then(
      () => finish(true),
      (error: unknown) => {
        this.#ringsNotBefore = scheduler.now + ALARM_RETRY_MS;
        scheduler.note(() => `the alarm's handler failed: ${String(error)}`);
        finish(false);
      },
    );
  }
}

function describe(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 160);
}
