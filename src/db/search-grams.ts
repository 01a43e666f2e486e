/**
 * The text of `upload_search` and what is asked of it. A name is cut into overlapping grams of three characters, each a token of
 * its own that begins with the account: a search reads one account's tokens, however many others there are. A phrase of
 * consecutive grams is a substring; one or two characters are the beginning of a gram.
 */

const GRAM_LENGTH = 3;
/** Two of them end a name, so that its last characters begin a gram too. No name has one (`toSafeFileName`). */
const END = "\u2028";
/** What no name has: nothing is found for it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they would part tokens
const IN_NO_NAME = /[\u0000-\u001f\u007f\u2028]/;

/** What a search is, as it can be asked for: all names have the text, or none has it, or those that match. */
export type NameSearch = { readonly found: "all" | "none" } | { readonly found: "some"; readonly match: string };

/**
 * The tokens of an upload's names, one a line.
 * @param storedName the object's key; of its folders, which all of an account's have, only the last slash is kept
 */
export function toGrams(accountId: string, storedName: string, originalFilename: string): string {
  const stored = storedName.slice(Math.max(0, storedName.lastIndexOf("/")));
  const names = stored.endsWith(`-${originalFilename}`) ? [stored] : [stored, originalFilename];
  return names.flatMap((name) => cut(foldCase(name) + END + END).map((gram) => accountId + gram)).join("\n");
}

/**
 * @param prefix what every stored name of the account begins with, to its last slash
 * @param text what names are searched for; not empty
 */
export function searchNames(accountId: string, prefix: string, text: string): NameSearch {
  const folded = foldCase(text);
  if (prefix.includes(folded)) return { found: "all" };
  if (IN_NO_NAME.test(folded)) return { found: "none" };
  // Only the stored name has slashes, and the index has it from its last one on.
  const slash = folded.lastIndexOf("/");
  if (slash > 0 && !prefix.endsWith(folded.slice(0, slash + 1))) return { found: "none" };
  const wanted = folded.slice(Math.max(0, slash));
  const quoted = (tokens: string) => `"${tokens.replaceAll('"', '""')}"`;
  return Array.from(wanted).length < GRAM_LENGTH
    ? { found: "some", match: `${quoted(accountId + wanted)} *` }
    : {
        found: "some",
        match: quoted(
          cut(wanted)
            .map((gram) => accountId + gram)
            .join("\n"),
        ),
      };
}

function cut(text: string): string[] {
  const characters = Array.from(text);
  return Array.from({ length: Math.max(0, characters.length - GRAM_LENGTH + 1) }, (_, at) =>
    characters.slice(at, at + GRAM_LENGTH).join(""),
  );
}

/** Simple case folding (Unicode, CaseFolding.txt, C and S) in NFC: one character stays one, so "ß" is not "ss". */
export function foldCase(text: string): string {
  return Array.from(text.normalize("NFC"), foldCharacter).join("").normalize("NFC");
}

function foldCharacter(character: string): string {
  const upper = character.toUpperCase();
  const lower = (isOne(upper) ? upper : character).toLowerCase();
  return isOne(lower) ? lower : character;
}

function isOne(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}
