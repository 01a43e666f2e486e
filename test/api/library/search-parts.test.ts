import { beforeAll, expect, it } from "vitest";
import { openAccount, type TestAccount } from "../../support/api/api.ts";
import { listIds, uploadMany } from "../../support/library/api.ts";
import { expectedItems, type LibraryItem, toLibraryItem } from "../../support/library/oracle.ts";
import { pick, type Random } from "../../support/library/random-query.ts";
import { png } from "../../support/media/samples.ts";
import { seeded } from "../../support/uploads/multipart.ts";

const NAMES = [
  "aaaa aaa",
  "aab baa",
  "Ärä 🦊 ÄRÄ",
  "写真写真",
  "-- - ---",
  "%_%__%",
  "'\"'\"",
  "uploads",
  "(((a)))",
  "Σσς",
  "é e\u0301",
  "STRASSE straße",
];

let account: TestAccount;
let items: LibraryItem[];

beforeAll(async () => {
  account = await openAccount("business");
  const files = NAMES.map((name) => ({ name: `${name}.png`, bytes: png() }));
  items = (await uploadMany(account.token, files)).map(toLibraryItem).reverse();
});

/** A part of a stored file's path from one place to another, in any case, or with one character of another name in it. */
function randomPart(random: Random): string {
  const characters = Array.from(pick(random, items).filename.normalize("NFC"));
  // Most often after the folder, which all names have.
  const from = random(3) === 0 ? random(characters.length) : characters.length - 1 - random(16);
  const part = characters.slice(from, from + 1 + random(random(2) === 0 ? 3 : 40));
  if (random(3) === 0) part[random(part.length)] = pick(random, Array.from(pick(random, items).originalFilename));
  const text = part.join("");
  return pick(random, [text, text.toUpperCase(), text.toLowerCase()]);
}

it.each([1, 2, 3, 4])("Any part of a stored name finds exactly the names that contain it (seed %d)", async (seed) => {
  const random = seeded(seed);
  for (let round = 0; round < 80; round++) {
    const q = randomPart(random);
    const expected = expectedItems(items, { q }).map(({ _id }) => _id);
    expect(await listIds(account.token, { q }), JSON.stringify(q)).toEqual(expected);
  }
});
