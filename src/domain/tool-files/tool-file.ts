/** A file with which another program uploads here. */
export interface ToolFile {
  /** By which it is asked for: `sharex`. */
  readonly name: string;
  /** As it is saved. */
  readonly filename: string;
  readonly mediaType: string;
  /** The programs that take it. */
  readonly title: string;
  /** How it gets into them. */
  readonly help: string;
  /**
   * @param baseUrl the service's address, without a slash at its end: an origin of letters, digits, dots, colons and hyphens
   * @returns the file, with `KEY_PLACEHOLDER` where the key goes
   */
  make(baseUrl: string): string;
}

/** What stands for the key. Keys have letters, digits and underscores, so that one can take its place in any of the files. */
export const KEY_PLACEHOLDER = "YOUR_KEY";
