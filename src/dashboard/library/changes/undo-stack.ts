const MOST_STEPS = 20;

export interface UndoStep {
  /** Names the change: "3 files moved to the trash". */
  readonly title: string;
  readonly run: () => unknown;
}

/** The last twenty changes that can be undone in this tab. */
export class UndoStack {
  #steps: UndoStep[] = [];

  push(step: UndoStep): void {
    this.#steps = [...this.#steps, step].slice(-MOST_STEPS);
  }

  /** Removes and returns the last step, or the given step if it is still there. */
  take(step: UndoStep | undefined = this.#steps.at(-1)): UndoStep | undefined {
    const found = this.#steps.find((candidate) => candidate === step);
    this.#steps = this.#steps.filter((candidate) => candidate !== step);
    return found;
  }

  get size(): number {
    return this.#steps.length;
  }
}

/** This tab's stack, shared by all pages. */
export const undoStack = new UndoStack();
