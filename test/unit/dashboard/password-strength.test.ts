import { expect, it } from "vitest";
import { passwordStrength } from "../../../src/dashboard/design/password-strength.ts";

it.each([
  ["", 0],
  ["12345678", 0],
  ["aaaaaaaaaaaaaaaaaaaaaaaa", 0],
  ["abcdefghijklmnop", 0],
  ["password1", 0],
  ["Tr0ub4dor", 1],
  ["x7Kq9#mP2vLw", 2],
  ["correct horse battery", 2],
  ["correct horse battery staple", 3],
  ["пароль из четырёх слов", 3],
  ["k3$Vq!9zR_w7Lm#2", 3],
] as const)("The password %j has the strength %d", (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});

it("A longer password is never weaker", () => {
  const text = "Correct-Horse 7 battery staple!!";
  const strengths = Array.from({ length: text.length + 1 }, (_, length) => passwordStrength(text.slice(0, length)));
  expect(strengths).toEqual(strengths.toSorted((one, other) => one - other));
});
