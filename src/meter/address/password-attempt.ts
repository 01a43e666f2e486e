import { RpcTarget } from "cloudflare:workers";

interface AttemptEnds {
  failed(): Promise<void>;
  /** The password was not compared. */
  withdrawn(): void;
  ended(): void;
}

/**
 * One password attempt. It lasts while its caller holds it, so that a success costs no further call: the caller disposes of it. An attempt
 * that is lost together with its caller is not counted, because the client did not learn whether the password was right.
 */
export class PasswordAttempt extends RpcTarget {
  readonly #ends: AttemptEnds;
  #isOver = false;

  constructor(ends: AttemptEnds) {
    super();
    this.#ends = ends;
  }

  /** Counts a failure. The caller waits for this before it answers the client. */
  async failed(): Promise<void> {
    this.#end();
    await this.#ends.failed();
  }

  /** Takes the attempt back before its password was compared: it counts as no try. */
  withdraw(): void {
    if (this.#isOver) return;
    this.#end();
    this.#ends.withdrawn();
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
