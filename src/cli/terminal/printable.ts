/** Characters that a terminal would execute: control characters, C1 included, and marks of text direction. */
const ACTIVE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A name or a server's message made safe for a terminal: one line without escape sequences. */
export function printable(text: string): string {
  return text.replace(ACTIVE, "\u{fffd}");
}
