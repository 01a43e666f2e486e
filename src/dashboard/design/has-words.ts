/** Combining marks that occur in any script. */
const ACCENTS = /(?=\p{Script=Inherited})\p{Mn}/gu;

/** Whether a text contains all words of a query, in any order. Case and accents are ignored, as in the service's search. */
export function hasWords(text: string, query: string): boolean {
  const folded = fold(text);
  return fold(query)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** Upper case first, so that "ß" becomes "ss". */
function fold(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").toUpperCase().toLowerCase();
}
