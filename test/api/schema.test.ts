import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { bearer, call } from "../support/api/api.ts";

it("the Worker has every migration that there is, in order", () => {
  const files = Object.keys(import.meta.glob("../../migrations/*.sql")).map((path) => path.split("/").at(-1));
  expect(MIGRATIONS.map(({ name }) => name)).toEqual(files.sort());
});

it("an operator brings the schema up to date, and nobody else does", async () => {
  const update = (headers: Record<string, string>) => call("/admin/schema", { method: "POST", headers });
  expect((await update({})).status).toBe(401);
  expect((await update(bearer("service_live_nobody"))).status).toBe(401);
  const answer = await update(bearer(env.ADMIN_TOKEN));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ applied: [], version: env.VERSION.id });
});
