/** A request's body while it comes in, whatever its format. */
export interface ClientBody {
  readonly receivedBytes: number;
  /** For how long the client has kept the read waiting that is under way; 0 if there is none. */
  readonly silentMs: number;
  /** For how long the client has kept reads waiting so far. */
  readonly waitedMs: number;
  /** Whether the body's length was known before it came. */
  readonly isSizeKnown: boolean;
  /** The most that the file being read can still bring. */
  readonly remainingContentBytes: number;
  /** Stops reading; the client learns that the rest is not wanted. */
  cancel(): Promise<void>;
  /** Stops reading once the client has sent what is on its way, within bounds, so that it gets to read the answer. */
  refuse(): Promise<void>;
}

/** The bytes of one file of a body. */
export interface FileSource {
  /**
   * The next bytes; undefined at the end. They are valid until the next call only.
   * @throws MultipartError, BodyTooLargeError
   */
  read(): Promise<Uint8Array | undefined>;
}
