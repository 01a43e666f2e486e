import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { openLibraries } from "../../../src/db/library/libraries.ts";
import { findUpload, uploadExists } from "../../../src/db/library/uploads.ts";
import { openAccount, uploadOne } from "../../support/api/api.ts";
import { shardOf } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { leaks, watchedEnv } from "../../support/shards/watched-env.ts";

// `npm run test:shards` runs the API suite over shards that are watched like this.

it("a shard that is watched fails where a statement shows another account's row, and else does not", async () => {
  const account = await openAccount();
  const { _id } = await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
  const shard = await shardOf(account.id);
  const watched = openLibraries(watchedEnv(env));
  expect(await findUpload(watched.open(shard), account.id, _id)).toMatchObject({ id: _id });
  expect(await uploadExists(watched.open(shard), _id)).toBe(true);
  const everything = watched.bindingOf(shard).prepare("SELECT * FROM uploads");
  await expect(everything.all()).rejects.toThrow("shown of");
  await expect(watched.bindingOf(shard).batch([everything])).rejects.toThrow("shown of");
  // These two were meant to be.
  expect(leaks.splice(-2)).toHaveLength(2);
});
