/** A configuration file with which another program uploads to this service. */
export interface ToolFile {
  /** The name in the URL: `sharex`. */
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  /** The programs that use the file. */
  readonly title: string;
  /** The steps that install the file in the program. */
  readonly help: string;
  /**
   * @param baseUrl the service's address without a trailing slash: an origin of letters, digits, dots, colons and
   * hyphens
   * @returns the file, with `KEY_PLACEHOLDER` in place of the key
   */
  make(baseUrl: string): string;
}

/** The text that a key replaces. Keys have letters, digits and underscores, so a key is valid at that place in every file. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

/** Advice with each file, because any reader of the file can use its key. */
export const KEY_ADVICE =
  "Use a key that can only upload: one with only the scope upload, or the upload key of Free and Starter.";
