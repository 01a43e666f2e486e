import { beforeAll, expect, it } from "vitest";
import { expectListed } from "../../support/library/expect-listed.ts";
import { type Library, openLibrary } from "../../support/library/fixture.ts";
import { randomQuery } from "../../support/library/random-query.ts";
import { seeded } from "../../support/uploads/multipart.ts";

let library: Library;

beforeAll(async () => {
  library = await openLibrary(90);
}, 30_000);

it.each([11, 12, 13, 14])("Combined filters show the items that every one of them matches (seed %d)", async (seed) => {
  const random = seeded(seed);
  let found = 0;
  for (let round = 0; round < 50; round++) {
    const query = randomQuery(random, library.folders);
    try {
      if ((await expectListed(library, query)) > 0) found += 1;
    } catch (error) {
      throw new Error(`Wrong for ${JSON.stringify(query)}: ${error}`, { cause: error });
    }
  }
  expect(found).toBeGreaterThan(15);
});
