/** Letters with a stroke, and ligatures: to Unicode they are letters of their own, to people who type they are these. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ħ: "h",
  ł: "l",
  ø: "o",
  œ: "oe",
  ŧ: "t",
};

/** Marks that any script's letters can bear: accents, Arabic vowel signs, variation selectors. Kana's voice marks make other letters. */
const ACCENTS = /(?![\u3099\u309a])(?=\p{Script=Inherited})\p{Mn}/gu;

/**
 * Text as it is searched, without case and accents: compatibility forms are written out (NFKD: "ﬁ" is "fi"), accents go ("é" is
 * "e", "й" is "и"), and full case folding follows ("ß" is "ss", "ς" is "σ", "İ" and "ı" are "i"). Signs that make up a letter in
 * their script stay: Indic vowels, Thai tones, kana's voice marks. Names in the index and what is looked for go through it alike.
 */
export function foldText(text: string): string {
  const bare = text.normalize("NFKD").replace(ACCENTS, "");
  // To lower case and back, as some letters have a full folding only by way of the other; at last one by one, so that no sigma is final.
  return Array.from(bare.toLowerCase().toUpperCase(), toPlainLetter).join("").normalize("NFC");
}

function toPlainLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return PLAIN_LETTERS[lower] ?? lower;
}
