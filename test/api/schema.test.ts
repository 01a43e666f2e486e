import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { bearer, call } from "../support/api/api.ts";
import { libraries } from "../support/api/databases.ts";

it("The Worker has every existing migration, in order", () => {
  const all = Object.keys(import.meta.glob("../../migrations/*/*.sql"));
  for (const kind of ["directory", "library"] as const) {
    const files = all.filter((path) => path.includes(`/${kind}/`)).map((path) => path.split("/").at(-1));
    expect(MIGRATIONS[kind].map(({ name }) => name)).toEqual(files.sort());
  }
});

it("The schema is migrated by an operator only", async () => {
  const update = (headers: Record<string, string>) => call("/admin/schema", { method: "POST", headers });
  expect((await update({})).status).toBe(401);
  expect((await update(bearer("service_live_nobody"))).status).toBe(401);
  const answer = await update(bearer(env.ADMIN_TOKEN));
  expect(answer.status).toBe(200);
  const names = ["DB", ...libraries.shards.map((shard) => `LIBRARY_${shard}`)];
  expect(await answer.json()).toEqual({
    databases: names.map((database) => ({ database, applied: [] })),
    version: env.VERSION.id,
  });
});
