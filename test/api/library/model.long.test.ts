import { expect, it } from "vitest";
import { expectConsistent, replayIntents } from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { expectEqualToModel } from "../../support/library/comparison.ts";
import { LibraryModel } from "../../support/library/model.ts";
import { randomChanges } from "../../support/library/random-changes.ts";
import { randomFolderChanges } from "../../support/library/random-folders.ts";
import { pick } from "../../support/library/random-query.ts";
import { randomUploads } from "../../support/library/random-uploads.ts";
import { move, otherShard } from "../../support/shards/move.ts";
import { seeded } from "../../support/uploads/multipart.ts";

const STEPS = 70;
const STEPS_PER_COMPARISON = 4;

// The last seed is different in each run; its test's title has it, so that it can be added here.
const SEEDS = [1, 2, 3, Date.now() % 1_000_000];

it.each(SEEDS)("A library shows exactly the changes made to it (seed %d)", async (seed) => {
  const random = seeded(seed);
  const account = await openAccount("business");
  const model = new LibraryModel();
  const kinds = [
    randomUploads(account.token, model, random),
    randomChanges(account.token, model, random),
    randomFolderChanges(account.token, model, random),
    [
      async function moveToAnotherShard() {
        expect(await move(account.email, await otherShard(account.id))).toEqual({ outcome: "moved" });
        await replayIntents(account.id);
      },
    ],
  ];
  const done: string[] = [];
  try {
    for (let step = 1; step <= STEPS; step++) {
      const operation = pick(random, pick(random, kinds));
      done.push(operation.name);
      await operation();
      if (step % STEPS_PER_COMPARISON === 0) await expectEqualToModel(account, model, random);
    }
  } catch (error) {
    throw new Error(`Seed ${seed}, step ${done.length}, after ${done.slice(-5).join(", ")}: ${error}`, {
      cause: error,
    });
  }
  await expectEqualToModel(account, model, random);
  // A library that has moved lately has rows to clear.
  await replayIntents(account.id);
  await expectConsistent(account.id);
  expect(model.items.length).toBeGreaterThan(10);
  expect(new Set(done).size).toBeGreaterThan(8);
});
