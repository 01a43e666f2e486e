/** The most files of one import from a page, so that it can show each one's outcome. */
export const MOST_URLS = 100;

/** The URLs that the service imports: http or https, without credentials. */
const URL_LINE = /^https?:\/\/[^@/?#\s]+([/?#]\S*)?$/i;

/**
 * Reads one URL a line; empty lines do not count.
 * @returns `wrong` is the first line that is no URL
 */
export function readUrls(text: string): { readonly urls: readonly string[]; readonly wrong: string | undefined } {
  const urls = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return { urls, wrong: urls.find((line) => !URL_LINE.test(line)) };
}
