/** A configuration file with which another program uploads to this service. */
export interface ToolFile {
  /** The name in the URL: `sharex`. */
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  /** The programs that use the file. */
  readonly title: string;
  /** How to install the file in them. */
  readonly help: string;
  /**
   * @param baseUrl the service's address without a trailing slash: an origin of letters, digits, dots, colons and
   * hyphens
   * @returns the file, with `KEY_PLACEHOLDER` in place of the key
   */
  make(baseUrl: string): string;
}

/** Replaced by a key. Keys have letters, digits and underscores, so that a key is valid at that place in every file. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

/** Advice beside each file, because its reader can use its key. */
export const KEY_ADVICE =
  "Use a key that can only upload: one with the scope upload alone, or the upload key of Free and Starter.";
