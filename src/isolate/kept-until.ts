const MAX_KEPT = 2000;

/** Values that an isolate keeps, each until a given time. Beyond 2,000 it forgets the oldest, so a forgotten value must only cost a call. */
export class KeptUntil<Value> {
  /** Entries by key, oldest first. */
  readonly #kept = new Map<string, { readonly value: Value; readonly until: number }>();

  /** @returns undefined if none was kept, or its time is over */
  find(key: string, now: number): Value | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.until > now ? kept.value : undefined;
  }

  /** @param until milliseconds since the epoch */
  keep(key: string, value: Value, until: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, until });
    if (this.#kept.size <= MAX_KEPT) return;
    const oldest = this.#kept.keys().next().value;
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  clear(): void {
    this.#kept.clear();
  }
}
