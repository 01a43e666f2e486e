/** The share of a word's letters that may be wrong. A short word may have one wrong letter. */
const LETTERS_A_MISTAKE = 3;

/**
 * Finds the known word that the user probably meant.
 * @returns the word with the smallest edit distance, or the only word with the text as its prefix; undefined if none is near
 */
function findNearest(text: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(text.length / LETTERS_A_MISTAKE));
  const [nearest] = known
    .map((word) => ({ word, mistakes: countMistakes(text, word) }))
    .filter(({ mistakes }) => mistakes <= most)
    .sort((a, b) => a.mistakes - b.mistakes);
  const [longer, ...others] = known.filter((word) => word.startsWith(text));
  return nearest?.word ?? (others.length === 0 ? longer : undefined);
}

/**
 * @param prefix of the known words, as they are written
 * @returns a question to end an error with; empty if no known word is near
 */
export function didYouMean(text: string, known: readonly string[], prefix = ""): string {
  const word = findNearest(text, known);
  return word === undefined ? "" : `; did you mean ${prefix}${word}?`;
}

/** The number of missing, added, wrong and swapped letters (optimal string alignment). */
function countMistakes(text: string, word: string): number {
  const rows = [Array.from({ length: word.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= text.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= word.length; column += 1) {
      const isSame = text[row - 1] === word[column - 1];
      const isSwapped = text[row - 1] === word[column - 2] && text[row - 2] === word[column - 1];
      (rows[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(text.length, word.length);
}
