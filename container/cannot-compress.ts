/** The image has to be kept as it is. The message is for the caller: what about it could not be compressed. */
export class CannotCompress extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "CannotCompress";
  }
}
