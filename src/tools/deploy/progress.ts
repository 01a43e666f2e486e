/** Reports and performs the steps of a run. A dry run reports only; it still reads. */
export class Progress {
  readonly isDryRun: boolean;
  readonly #print: (line: string) => void;

  constructor(isDryRun: boolean, print: (line: string) => void) {
    this.isDryRun = isDryRun;
    this.#print = print;
  }

  /** Something that is as it should be, or is worth knowing. */
  note(text: string): void {
    this.#print(`  ${text}`);
  }

  /**
   * A change, in the imperative: "make the queue x".
   * @returns what `work` returned; undefined in a dry run, which does not call it
   */
  async change<T>(text: string, work: () => Promise<T>): Promise<T | undefined> {
    this.#print(this.isDryRun ? `  would ${text}` : `  ${text} ...`);
    return this.isDryRun ? undefined : work();
  }
}
