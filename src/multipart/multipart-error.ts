/** A body that violates RFC 7578. `reason` is for the client. */
export class MultipartError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "MultipartError";
    this.reason = reason;
  }
}

/** The body exceeds `maxBytes`. */
export class BodyTooLargeError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super("The body is too large");
    this.name = "BodyTooLargeError";
    this.maxBytes = maxBytes;
  }
}
