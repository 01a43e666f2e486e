/** Reports and performs the steps of a run. A dry run only reports, but it still reads. */
export class DeploySteps {
  readonly isDryRun: boolean;
  readonly #print: (line: string) => void;

  constructor(isDryRun: boolean, print: (line: string) => void) {
    this.isDryRun = isDryRun;
    this.#print = print;
  }

  /** Reports a fact: the step is already done, or the reader should know something. */
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
