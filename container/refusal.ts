/** An answer other than 200. What can never work is 422, what may work later is 502, 503 or 504. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 405 | 413 | 422 | 502 | 503 | 504;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: Refusal["status"], reason: string, retryAfterSeconds?: number) {
    super(reason);
    this.name = "Refusal";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
