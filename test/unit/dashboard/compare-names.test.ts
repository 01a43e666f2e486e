import { expect, it } from "vitest";
import { compareNames } from "../../../src/dashboard/library/folders/compare-names.ts";

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));
const NAMES = [
  "",
  "Tour 9",
  "tour 10",
  "Tour 010",
  "TOUR 10b",
  "tour-10",
  "tour_10",
  "a1b20",
  "A01b3",
  "007",
  "7",
  "00",
  "été",
  "Ete",
];
const SIGNS = ASCII.flatMap((one) => [one, `a${one}`, `${one}1`, `1${one}2`, `${one}${one}b`]);

it("Names are in the order of the Unicode Collation Algorithm, numbers by value", () => {
  const names = [...NAMES, ...SIGNS];
  for (const one of names) {
    const order = names.map((other) => Math.sign(compareNames(one, other)));
    expect(order, one).toEqual(names.map((other) => Math.sign(COLLATOR.compare(one, other))));
  }
});
