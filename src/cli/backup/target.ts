/** The store of a backup: a folder, or a bucket with the S3 API. Names are paths of letters, digits, `.`, `-`, `_` and `/`. */
export interface Target {
  /** Shown to people. */
  readonly title: string;
  /** Writes a whole object. @param sha256 hexadecimal; a bucket compares it */
  put(name: string, bytes: Uint8Array, sha256: string): Promise<void>;
  /** Writes an object from consecutive pieces. All but the last have the same size. The object does not exist before `complete`. */
  begin(name: string): Promise<PieceWriter>;
  /** Undefined if there is no such object. */
  get(name: string): Promise<Uint8Array | undefined>;
  /** Reads `length` bytes. @throws Error if they are not there */
  getRange(name: string, offset: number, length: number): Promise<Uint8Array>;
  /** Names below a prefix that ends with a slash, in any order. */
  list(prefix: string): Promise<string[]>;
  /** Does nothing if there is no such object. */
  delete(name: string): Promise<void>;
}

export interface PieceWriter {
  write(bytes: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}
