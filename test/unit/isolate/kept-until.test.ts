import { expect, it } from "vitest";
import { KeptUntil } from "../../../src/isolate/kept-until.ts";

it("A kept value is found until its time, and a later value replaces it", () => {
  const kept = new KeptUntil<string>();
  kept.keep("a", "first", 100);
  expect([kept.find("a", 99), kept.find("a", 100), kept.find("b", 99)]).toEqual(["first", undefined, undefined]);
  kept.keep("a", "second", 200);
  expect(kept.find("a", 199)).toBe("second");
});

it("The oldest of more than 2,000 kept values is forgotten", () => {
  const kept = new KeptUntil<number>();
  for (let value = 0; value <= 2000; value++) kept.keep(String(value), value, 1);
  expect([kept.find("0", 0), kept.find("1", 0), kept.find("2000", 0)]).toEqual([undefined, 1, 2000]);
});
