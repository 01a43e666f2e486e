/** Runs work on the same id one after the other in order of arrival, and work on different ids concurrently. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id);
    const turn = before === undefined ? work() : before.then(work, work);
    this.#last.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(id) === turn) this.#last.delete(id);
    }
  }
}
