import { createHash } from "node:crypto";
import type { Party, Scheduler } from "./scheduler.ts";

interface Timer {
  readonly party: Party;
  isCleared: boolean;
}

const NOBODY: Party = { name: "nobody", isAlive: true, disturbances: 0 };

/**
 * Replaces the process's clock, timers and random numbers by the schedule's own, and its console by a quiet one; WebCrypto's digest is
 * computed on this thread.
 * @param secrets the random numbers of secrets are separate, so that one more secret changes no other draw
 * @returns a function that restores everything
 */
export function takeOverGlobals(scheduler: Scheduler, random: () => number, secrets: () => number): () => void {
  const real = {
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    random: Math.random,
    error: console.error,
    warn: console.warn,
    debug: console.debug,
    digest: crypto.subtle.digest,
    sign: crypto.subtle.sign,
    importKey: crypto.subtle.importKey,
    getRandomValues: crypto.getRandomValues,
    now: performance.now,
  };
  const RealDate = real.Date;
  class VirtualDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(scheduler.now);
      else super(args[0]);
    }
    static override now(): number {
      return scheduler.now;
    }
  }
  const start = (work: () => void, delayMs = 0, repeats: boolean): Timer => {
    const timer: Timer = { party: scheduler.current ?? NOBODY, isCleared: scheduler.isClosed };
    const park = () => {
      if (timer.isCleared || scheduler.isClosed) return;
      scheduler.park({
        label: () => `${timer.party.name}: a timer of ${delayMs} ms`,
        party: timer.party,
        readyAt: scheduler.now + Math.ceil(delayMs),
        deadline: Number.POSITIVE_INFINITY,
        run: () => {
          if (timer.isCleared) return;
          if (repeats) park();
          work();
        },
        timer,
      });
    };
    park();
    return timer;
  };
  const clear = (timer: Timer | undefined) => {
    if (timer === undefined || timer.isCleared) return;
    timer.isCleared = true;
    scheduler.remove((step) => step.timer === timer);
  };
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: (work: () => void, delayMs?: number) => start(work, delayMs, false),
    setInterval: (work: () => void, delayMs?: number) => start(work, delayMs, true),
    clearTimeout: clear,
    clearInterval: clear,
  });
  Math.random = random;
  performance.now = () => scheduler.now;
  const log = (...args: unknown[]) => scheduler.note(() => `log: ${args.map(String).join(" ")}`);
  console.error = log;
  console.warn = log;
  console.debug = log;
  const hash = (data: unknown) =>
    new Uint8Array(
      createHash("sha256")
        .update(data as Uint8Array)
        .digest(),
    ).buffer;
  crypto.subtle.digest = async (_algorithm, data) => hash(data);
  crypto.subtle.sign = async (_algorithm, _key, data) => hash(data);
  Object.assign(crypto.subtle, { importKey: async () => ({}) });
  crypto.getRandomValues = (array) => {
    const bytes = array as unknown as Uint8Array;
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(secrets() * 256);
    return array;
  };
  return () => {
    const { random: realRandom, error, warn, debug, digest, sign, importKey, getRandomValues, now, ...globals } = real;
    Object.assign(globalThis, globals);
    Math.random = realRandom;
    performance.now = now;
    crypto.getRandomValues = getRandomValues;
    console.error = error;
    console.warn = warn;
    console.debug = debug;
    Object.assign(crypto.subtle, { digest, sign, importKey });
  };
}

/** Fixed-length streams are the Workers runtime's own. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number) {
    let seen = 0;
    super({
      transform(chunk, controller) {
        seen += chunk.length;
        if (seen > length) throw new TypeError("Attempt to write too many bytes through a FixedLengthStream");
        controller.enqueue(chunk);
      },
      flush() {
        if (seen < length) throw new TypeError("FixedLengthStream did not see all expected bytes before close()");
      },
    });
  }
}
Object.assign(globalThis, { FixedLengthStream });
