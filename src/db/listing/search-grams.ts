import { foldText } from "./fold-text.ts";

/**
 * The text of `upload_search` and what is asked of it. A name is cut into overlapping grams of three characters, each a token of
 * its own that begins with the account: a search reads one account's tokens, however many others there are. A phrase of
 * consecutive grams is a substring; one or two characters are the beginning of a gram.
 *
 * A stored file's text is `/<id>-<name>`. Grams that begin before the name bear a mark, so that only those who look for an id or a
 * path find them.
 */

const GRAM_LENGTH = 3;
/** Shorter text is looked for in names alone: every id has an "a", and every path has "uploads". */
const MIN_PATH_CHARACTERS = 8;
/** Two of them end a name, so that its last characters begin a gram too. No name has one (`toStoredFileName`). */
const END = "\u2028";
/** Begins the grams of an id and the slash before it. An account's id has none, so that no two tokens are confused. */
const PATH_MARK = "/";
/** No name has any of these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters would part tokens
const IN_NO_NAME = /[\u0000-\u001f\u007f\u2028]/;

/**
 * A search as the index can be asked: all uploads are found, or none by their names, or those that match. `isPrefix`: the text is
 * shorter than a gram, and the index gathers all matches before it tells the first.
 */
export type NameSearch =
  | { readonly found: "all" | "none" }
  | { readonly found: "some"; readonly match: string; readonly isPrefix: boolean };

/**
 * The tokens of an upload's id and names, one a line.
 * @param storedName the object's key; of its folders, which all of an account's have, only the last slash is kept
 */
export function toGrams(accountId: string, storedName: string, originalFilename: string): string {
  const stored = storedName.slice(Math.max(0, storedName.lastIndexOf("/")));
  const path = stored.slice(0, stored.indexOf("-") + 1);
  const name = foldText(stored.slice(path.length));
  const original = foldText(originalFilename);
  return [
    ...markPath(accountId, cut(path + name + END + END), path.length),
    ...(original === name ? [] : markPath(accountId, cut(original + END + END), 0)),
  ].join("\n");
}

/**
 * @param prefix what every stored name of the account begins with, to its last slash
 * @param text what names are searched for; of eight characters or more, or with a slash, ids and paths too
 */
export function searchNames(accountId: string, prefix: string, text: string): NameSearch {
  const wanted = foldText(text);
  if (wanted === "" || IN_NO_NAME.test(wanted)) return { found: "none" };
  const phrases = [toPhrase(accountId, wanted, 0)];
  if (Array.from(wanted).length >= MIN_PATH_CHARACTERS || wanted.includes("/")) {
    if (prefix.includes(wanted)) return { found: "all" };
    phrases.push(...pathPhrases(accountId, prefix, wanted));
  }
  return { found: "some", match: phrases.join(" OR "), isPrefix: phrases.some((phrase) => phrase.endsWith("*")) };
}

/** How a text is found that begins in the path of a file, before its name. */
function pathPhrases(accountId: string, prefix: string, wanted: string): string[] {
  const slash = wanted.lastIndexOf("/");
  // The index has the path from its last slash on; what is before it is the same for all.
  if (slash > 0 && !prefix.endsWith(wanted.slice(0, slash + 1))) return [];
  const text = wanted.slice(Math.max(0, slash));
  // No id has a dash, so that the first one parts it from the name.
  const path = /^\/?[0-9a-z]*(?:-|$)/.exec(text)?.[0];
  return path === undefined ? [] : [toPhrase(accountId, text, path.length)];
}

/** @param pathLength how many of the text's characters come before the name */
function toPhrase(accountId: string, text: string, pathLength: number): string {
  const isShort = Array.from(text).length < GRAM_LENGTH;
  const tokens = markPath(accountId, isShort ? [text] : cut(text), pathLength);
  return `"${tokens.join("\n").replaceAll('"', '""')}"${isShort ? " *" : ""}`;
}

function markPath(accountId: string, grams: readonly string[], pathLength: number): string[] {
  return grams.map((gram, at) => (at < pathLength ? PATH_MARK : "") + accountId + gram);
}

function cut(text: string): string[] {
  const characters = Array.from(text);
  return Array.from({ length: Math.max(0, characters.length - GRAM_LENGTH + 1) }, (_, at) =>
    characters.slice(at, at + GRAM_LENGTH).join(""),
  );
}
