const MOST_STEPS = 20;

export interface UndoStep {
  /** What was done: "3 files moved to the trash". */
  readonly title: string;
  readonly run: () => unknown;
}

/** What can be undone in this tab, the last first; older ones than the last twenty are forgotten. */
export class UndoStack {
  #steps: UndoStep[] = [];

  push(step: UndoStep): void {
    this.#steps = [...this.#steps, step].slice(-MOST_STEPS);
  }

  /** Takes one out: the last, or the given one where it is still there. */
  take(step: UndoStep | undefined = this.#steps.at(-1)): UndoStep | undefined {
    const found = this.#steps.find((candidate) => candidate === step);
    this.#steps = this.#steps.filter((candidate) => candidate !== step);
    return found;
  }

  get size(): number {
    return this.#steps.length;
  }
}

/** What can be undone, in this tab, whichever page is shown. */
export const undoStack = new UndoStack();
