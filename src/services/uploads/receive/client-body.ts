/** A request's body while it is received, in any format. */
export interface ClientBody {
  readonly receivedBytes: number;
  /** The time for which the current read has waited for the client; 0 if no read is waiting. */
  readonly silentMs: number;
  /** The time for which all reads have waited for the client. */
  readonly waitedMs: number;
  /** Whether the body's length was declared. */
  readonly isSizeKnown: boolean;
  /** The most bytes that the current file can still have. */
  readonly remainingContentBytes: number;
  /** Ends the only file of the body without reading the rest. Bodies of clients, who wait for an answer, are read to their end instead. */
  skip?(): Promise<void>;
  /** Stops reading; the client learns that the rest is not wanted. */
  cancel(): Promise<void>;
  /** Stops reading after bytes that are already sent, within limits, so that the client reads the answer. */
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
