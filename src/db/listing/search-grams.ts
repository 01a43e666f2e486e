/**
 * The text of `upload_search` and its queries. A name is cut into overlapping grams of three characters. Each gram is a token that begins
 * with the account's id, so a search reads only its account's tokens. A phrase of consecutive grams is a substring. One or two characters
 * are the beginning of a gram. All words of a search must match.
 *
 * A stored file's text is `/<id>-<name>`. Grams that begin before the name have a mark, so only searches for an id or a path find them.
 */

const GRAM_LENGTH = 3;
/** Shorter text is searched in names only: every id contains an "a", and every path contains "uploads". */
const MIN_PATH_CHARACTERS = 8;
/**
 * A text of more words, such as a pasted sentence, is searched as one word: each short word costs the index as much as a search of its own.
 */
const MAX_WORDS = 8;
/** Two of these characters end a name, so that its last characters begin a gram, too. No name contains the character (`toStoredFileName`). */
const END = "\u2028";
/** The first character of the grams of an id and of the slash before it. No account id contains it, so no two tokens are confused. */
const PATH_MARK = "/";
/** No name contains any of these characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters would part tokens
const IN_NO_NAME = /[\u0000-\u001f\u007f\u2028]/;

/**
 * A search in the index's form: all uploads match, no name matches, or the index is queried. `isPrefix`: the text is shorter than a gram,
 * and the index gathers all matches before it returns the first.
 */
export type NameSearch =
  | { readonly found: "all" | "none" }
  | { readonly found: "some"; readonly match: Match; readonly isPrefix: boolean };

/** A query of the index, the one upload whose id, or whose id of the client, is searched, or the uploads with the same bytes. */
export type Match =
  | string
  | { readonly uploadId: string }
  | { readonly externalId: string }
  | { readonly sha256: string };

/**
 * The tokens of an upload's id and names, one a line.
 * @param storedName the object's key; of its folders, which all of an account's keys share, only the last slash is kept
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
 * Finds names that contain every word of the text, in any order. A word with eight characters or more, or with a slash, is also searched in
 * paths.
 * @param prefix the beginning of the account's stored names, up to the last slash
 */
export function searchNames(accountId: string, prefix: string, text: string): NameSearch {
  const wanted = foldText(text);
  if (wanted === "" || IN_NO_NAME.test(wanted)) return { found: "none" };
  const words = toWords(wanted).map((word) => toPhrases(accountId, prefix, word));
  const phrases = words.filter((phrases) => phrases !== undefined);
  if (phrases.length === 0) return { found: "all" };
  return {
    found: "some",
    match: phrases.map((either) => (words.length > 1 ? `(${either.join(" OR ")})` : either.join(" OR "))).join(" AND "),
    isPrefix: phrases.flat().some((phrase) => phrase.endsWith("*")),
  };
}

/** Leaves out a word that is part of another word, because the other word finds it, too. If the text has too many words, it is one word. */
function toWords(wanted: string): readonly string[] {
  const words = [...new Set(wanted.split(" ").filter((word) => word !== ""))];
  if (words.length === 0 || words.length > MAX_WORDS) return [wanted];
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** The phrases of a word: a file matches if it has one of them. Undefined if every file matches. */
function toPhrases(accountId: string, prefix: string, word: string): string[] | undefined {
  const phrases = [toPhrase(accountId, word, 0)];
  if (Array.from(word).length < MIN_PATH_CHARACTERS && !word.includes("/")) return phrases;
  return prefix.includes(word) ? undefined : [...phrases, ...pathPhrases(accountId, prefix, word)];
}

/** The phrases of a text that begins in a file's path, before its name. */
function pathPhrases(accountId: string, prefix: string, wanted: string): string[] {
  const slash = wanted.lastIndexOf("/");
  // The index has the path from its last slash; the part before is the same for all files.
  if (slash > 0 && !prefix.endsWith(wanted.slice(0, slash + 1))) return [];
  const text = wanted.slice(Math.max(0, slash));
  // No id has a dash, so the first dash separates it from the name.
  const path = /^\/?[0-9a-z]*(?:-|$)/.exec(text)?.[0];
  return path === undefined ? [] : [toPhrase(accountId, text, path.length)];
}

/** @param pathLength the number of the text's characters before the name */
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

/** Letters with a stroke, and ligatures. Unicode treats them as letters of their own; people type these instead. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ħ: "h",
  ł: "l",
  ø: "o",
  œ: "oe",
  ŧ: "t",
};

/**
 * Marks on letters of any script: accents, Arabic vowel signs, variation selectors. Kana's voice marks are excluded, because they make
 * other letters.
 */
const ACCENTS = /(?![\u3099\u309a])(?=\p{Script=Inherited})\p{Mn}/gu;

/**
 * Folds text for the search, without case and accents. Compatibility forms are expanded (NFKD: "ﬁ" is "fi"), accents are removed ("é" is
 * "e", "й" is "и"), and full case folding follows ("ß" is "ss", "ς" is "σ", "İ" and "ı" are "i"). Marks that are part of a letter in their
 * script stay: Indic vowels, Thai tones, kana's voice marks. Names in the index and search texts are folded in the same way.
 */
export function foldText(text: string): string {
  const bare = text.normalize("NFKD").replace(ACCENTS, "");
  // To lower case and back, because some letters have a full folding only via the other case. The last step goes letter by letter, so that
  // no sigma is final.
  return Array.from(bare.toLowerCase().toUpperCase(), toPlainLetter).join("").normalize("NFC");
}

function toPlainLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return PLAIN_LETTERS[lower] ?? lower;
}
