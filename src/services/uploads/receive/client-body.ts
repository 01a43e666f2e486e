/** A request's body while it is received, in any format. */
export interface ClientBody {
  readonly receivedBytes: number;
  /** How long the current read has waited for the client; 0 if no read is waiting. */
  readonly silentMs: number;
  /** How long all reads have waited for the client. */
  readonly waitedMs: number;
  /** Whether the body's length was declared. */
  readonly isSizeKnown: boolean;
  /** The most bytes that the current file can still have. */
  readonly remainingContentBytes: number;
  /** Stops reading; the client learns that the rest is not wanted. */
  cancel(): Promise<void>;
  /** Stops reading after the bytes on their way, within limits, so that the client reads the answer. */
  refuse(): Promise<void>;
}

/** The bytes of one file of a body. */
export interface FileSource {
  /**
   * The next bytes; undefined at the end. They are valid only until the next call.
   * @throws MultipartError, BodyTooLargeError
   */
  read(): Promise<Uint8Array | undefined>;
}
