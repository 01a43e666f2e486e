/** A body that is not what RFC 7578 says. `reason` is for the client. */
export class MultipartError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "MultipartError";
    this.reason = reason;
  }
}

/** The body went on after `maxBytes`. */
export class BodyTooLargeError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super("The body is too large");
    this.name = "BodyTooLargeError";
    this.maxBytes = maxBytes;
  }
}
