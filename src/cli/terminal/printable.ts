/** What a terminal would act on: control characters, also the C1 ones, and marks that turn the direction of text. */
const ACTIVE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A name, or what a server says, as a terminal may show it: on one line, and without escape sequences. */
export function printable(text: string): string {
  return text.replace(ACTIVE, "\u{fffd}");
}
