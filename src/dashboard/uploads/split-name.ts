import { cutMiddle, toCharacters } from "../design/format.ts";

/** The characters of a name's end that are always visible. */
const ENDING = 8;
/** The longest name that is shown in one part. */
const MOST = 32;
/** Letters that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Splits a name into a stem, which CSS cuts to the tray's width, and an ending. A name with right-to-left letters stays in one part,
 * because each of two parts would be ordered and joined separately.
 */
export function splitName(name: string): readonly [stem: string, ending: string] {
  if (RIGHT_TO_LEFT.test(name)) return [cutMiddle(name, MOST), ""];
  const characters = toCharacters(name);
  const cut = Math.max(0, characters.length - ENDING);
  return [characters.slice(0, cut).join(""), characters.slice(cut).join("")];
}
