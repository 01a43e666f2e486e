import { writeFile } from "node:fs/promises";
import { dictionary } from "@zxcvbn-ts/language-common";
import { makeFilter } from "../domain/common-passwords/is-common-password.ts";

/** `npm run common-passwords`: builds the filter of common passwords from the list of zxcvbn, most common first. */

const COUNT = 10_000;
const LEAST_CHARACTERS = 8;
const OUTPUT = "src/domain/common-passwords/filter.ts";

/** The most common passwords that are long enough for an account. */
export function listCommonPasswords(): string[] {
  return dictionary["passwords-common"].filter(({ length }) => length >= LEAST_CHARACTERS).slice(0, COUNT);
}

/** Returns the source of the filter's file. */
export function filterSource(): string {
  const filter = Buffer.from(makeFilter(listCommonPasswords())).toString("base64");
  return `/** Made by \`npm run common-passwords\`. A Bloom filter of 40,000 bytes, base64. */\nexport const FILTER =\n  "${filter}";\n`;
}

if (import.meta.main) await writeFile(OUTPUT, filterSource());
