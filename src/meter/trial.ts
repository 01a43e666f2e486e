import { RpcTarget } from "cloudflare:workers";

interface TrialEnds {
  failed(): Promise<void>;
  ended(): void;
}

/**
 * One trial of a password, as its address meter hands it out. It lasts as long as its caller holds it, so a success costs
 * no further call: the caller disposes of the trial. One that is lost together with its caller is not counted, as nobody
 * learnt whether the password was right.
 */
export class Trial extends RpcTarget {
  readonly #ends: TrialEnds;
  #isOver = false;

  constructor(ends: TrialEnds) {
    super();
    this.#ends = ends;
  }

  /** Counts a failure; to be awaited before the client learns of it. */
  async failed(): Promise<void> {
    this.#end();
    await this.#ends.failed();
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ends.ended();
  }
}
