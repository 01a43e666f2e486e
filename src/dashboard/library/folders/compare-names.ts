/** The ASCII characters that a name may have, in the order of the Unicode Collation Algorithm (CLDR, root). */
const ORDER = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";
const ASCII = /^[ -~]*$/;
const PIECE = /\d+|./g;

let collator: Intl.Collator | undefined;

/**
 * Orders names without case or accents, and by the values of their numbers ("Tour 9" before "Tour 10"). ASCII names are compared here with
 * the same result, because a page's first collator delays the library by 16 ms.
 * @returns below 0, 0, or above 0, as `Intl.Collator` does
 */
export function compareNames(one: string, other: string): number {
  if (ASCII.test(one) && ASCII.test(other)) return compareAscii(one.toLowerCase(), other.toLowerCase());
  collator ??= new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return collator.compare(one, other);
}

function compareAscii(one: string, other: string): number {
  const pieces = one.match(PIECE) ?? [];
  const others = other.match(PIECE) ?? [];
  for (const [at, piece] of pieces.entries()) {
    const against = others[at];
    if (against === undefined) return 1;
    const order = comparePieces(piece, against);
    if (order !== 0) return order;
  }
  return pieces.length - others.length;
}

function comparePieces(one: string, other: string): number {
  const first = ORDER.indexOf(one.charAt(0)) - ORDER.indexOf(other.charAt(0));
  if (!isNumber(one) || !isNumber(other)) return first;
  const [digits, otherDigits] = [one, other].map((number) => number.replace(/^0+/, "")) as [string, string];
  if (digits.length !== otherDigits.length) return digits.length - otherDigits.length;
  return digits < otherDigits ? -1 : Number(digits > otherDigits);
}

function isNumber(piece: string): boolean {
  return piece >= "0" && piece < ":";
}
