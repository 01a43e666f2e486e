import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isCommonPassword } from "../../../src/domain/common-passwords/is-common-password.ts";
import { filterSource, listCommonPasswords } from "../../../src/tools/common-passwords.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

it("The filter of common passwords is made from the list, and has at most 40 KB", () => {
  const source = filterSource();
  expect(readFileSync("src/domain/common-passwords/filter.ts", "utf8")).toBe(source);
  expect(Buffer.from(source.split('"')[1] ?? "", "base64").length).toBeLessThanOrEqual(40 * 1024);
});

it("Every common password is refused, in any case of its letters", () => {
  const common = listCommonPasswords();
  expect(common).toHaveLength(10_000);
  expect(common.filter((password) => !isCommonPassword(password))).toEqual([]);
  expect(isCommonPassword("PassWord123")).toBe(true);
});

it("Fewer than one in 250,000 other passwords is taken for common", () => {
  const random = seededRandom(25);
  const draw = () => Array.from({ length: 10 }, () => BASE62[Math.floor(random() * BASE62.length)]).join("");
  expect(Array.from({ length: 250_000 }, draw).filter(isCommonPassword)).toEqual([]);
  for (const password of ["correct horse battery staple", "long enough a password", "Grüße aus Köln"]) {
    expect(isCommonPassword(password)).toBe(false);
  }
});
