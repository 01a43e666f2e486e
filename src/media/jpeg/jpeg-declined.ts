/** The codec declines a file, so it stays as it is. `reason` is for the log. */
export class JpegDeclined extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "JpegDeclined";
    this.reason = reason;
  }
}
