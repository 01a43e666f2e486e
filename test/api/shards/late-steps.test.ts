import { describe, expect, it } from "vitest";
import { bringHomeSome } from "../../../src/db/library/compare/bring-home.ts";
import { copyFolders, deleteSomeLeft, forgetMoved } from "../../../src/db/library/copy-library.ts";
import { deleteSomeUploads, emptyLibrary } from "../../../src/db/library/erase-library.ts";
import type { Library } from "../../../src/db/library/library.ts";
import { type MoveStep, putLibrary, setLibraryState } from "../../../src/db/library/library-state.ts";
import { replayIntents } from "../../support/api/account-state.ts";
import { inLibraries, libraries, shardOf } from "../../support/api/databases.ts";
import { openLibrary } from "../../support/library/fixture.ts";
import { move, otherShard, rowsOf } from "../../support/shards/move.ts";

type Late = (from: Library, to: Library, step: MoveStep & { readonly shard: string }) => Promise<unknown>;

/** Every kind of step that an object may have sent before its reset; the library moved after that. */
const STEPS: Readonly<Record<string, Late>> = {
  "opens it where it was": (from, _to, step) => setLibraryState(from, step, "here"),
  "closes it where it is": (_from, to, step) => setLibraryState(to, step, "leaving"),
  "announces it where it is": (_from, to, step) => putLibrary(to, step, "left"),
  "clears uploads where it is": (_from, to, step) => deleteSomeUploads(to, step, 10),
  "clears the rest where it is": (_from, to, step) => emptyLibrary(to, step),
  "copies folders once more": (from, to, step) => copyFolders(from, to, step),
  "clears it as what has left": (_from, to, step) => deleteSomeLeft(to, step, 10),
  "forgets what has left": (from, _to, step) => forgetMoved(from, step),
  "brings it home": (from, to, step) => bringHomeSome(to, from, step),
};

describe("Late steps of a move", () => {
  it("A late step of a move changes nothing, in any shard", async () => {
    const { account } = await openLibrary(12);
    const [from, to] = [await shardOf(account.id), await otherShard(account.id)];
    const begunAt = Date.now();
    expect(await move(account.email, to)).toEqual({ outcome: "moved" });
    await replayIntents(account.id);
    const seen = async () => [
      await rowsOf(account.id),
      await inLibraries("SELECT * FROM libraries WHERE id = ?", account.id),
    ];
    const before = await seen();
    for (const [name, arrive] of Object.entries(STEPS)) {
      const late = arrive(libraries.open(from), libraries.open(to), {
        accountId: account.id,
        movedAt: begunAt - 1,
        shard: to,
      });
      const said = await late.then(String, (error: Error) => `${error} ${error.cause}`);
      expect(said, name).toContain("library was moved later");
      expect(await seen(), name).toEqual(before);
    }
  });
});
