import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { findAccount } from "../../../src/db/directory/accounts.ts";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import { openLibraries } from "../../../src/db/library/library.ts";
import { findUpload, isForeignUpload } from "../../../src/db/library/uploads.ts";
import { openAccount, uploadOne } from "../../support/api/api.ts";
import { shardOf } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { leaks, watchedEnv } from "../../support/shards/watched-env.ts";

// `npm run test:shards` runs the API suite over shards that are watched like this.

it("A watched shard fails only if a statement returns another account's row", async () => {
  const account = await openAccount();
  const { _id } = await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
  const shard = await shardOf(account.id);
  const watched = openLibraries(watchedEnv(env));
  expect(await findUpload(watched.open(shard), account.id, _id)).toMatchObject({ id: _id });
  expect(await isForeignUpload(watched.open(shard), "another account", _id)).toBe(true);
  expect(await isForeignUpload(watched.open(shard), account.id, _id)).toBe(false);
  const everything = watched.bindingOf(shard).prepare("SELECT * FROM uploads");
  await expect(everything.all()).rejects.toThrow("shown of");
  await expect(watched.bindingOf(shard).batch([everything])).rejects.toThrow("shown of");
  // These two were intended.
  expect(leaks.splice(-2)).toHaveLength(2);
});

it("A statement for one kind of database does not compile for the other", () => {
  const [directory, library] = [openDirectory(env), openLibraries(env).open("00")];
  // @ts-expect-error A shard has no accounts.
  const misled = () => findAccount(library, "x");
  // @ts-expect-error The directory has no uploads.
  const lost = () => findUpload(directory, "x", "y");
  expect([misled, lost]).toHaveLength(2);
});
