import { env } from "cloudflare:workers";
import { inspect } from "node:util";
import { eq } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { type Directory, openDirectory } from "../../src/db/directory/directory.ts";
import { accounts } from "../../src/db/directory/schema.ts";
import { callJson, openAccount } from "../support/api/api.ts";

// Logs contain no secret: a database error is logged without the values that were bound.

const SECRET = "scrypt$";
const BROKEN = {
  id: "01arz3ndektsv4rrffq69g5fav",
  passwordHash: SECRET,
  tier: "free",
  autoCompress: false,
  compressionQuality: 65,
  shard: "00",
  createdAt: 0,
} as const;

afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.exec("DROP TRIGGER IF EXISTS refuse_updates");
});

async function refuseUpdates() {
  await env.DB.exec(
    "CREATE TRIGGER refuse_updates BEFORE UPDATE ON accounts BEGIN SELECT RAISE(ABORT, 'out of order'); END",
  );
}

it("A failed query's error names its statement and its cause, and no value", async () => {
  await refuseUpdates();
  const { id } = await openAccount();
  const db = openDirectory(env);
  const error = await db
    .update(accounts)
    .set({ passwordHash: `${SECRET}1$2` })
    .where(eq(accounts.id, id))
    .catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error, { depth: 9 })).toMatch(/update "accounts"[\s\S]*out of order/);
  expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
});

it.each([
  ["select", (db: Directory) => db.select().from(accounts).where(eq(accounts.email, SECRET)).all()],
  ["one row", (db: Directory) => db.select().from(accounts).where(eq(accounts.email, SECRET)).get()],
  [
    "insert",
    (db: Directory) =>
      db
        .insert(accounts)
        .values({ ...BROKEN, email: SECRET })
        .run(),
  ],
  ["batch", (db: Directory) => db.batch([db.insert(accounts).values({ ...BROKEN, email: SECRET })])],
])("A failed query's error has no value, however the query is run: %s", async (_, query) => {
  const broken = new Proxy(env.DB, {
    get: (target, name) =>
      name === "prepare"
        ? (sql: string) => target.prepare(sql.replace('"accounts"', '"nothing"'))
        : Reflect.get(target, name).bind(target),
  });
  const error = await query(openDirectory({ DB: broken })).catch((error: unknown) => error);
  expect(inspect(error, { depth: 9 })).toContain("no such table");
  expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
});

it("A failed password change is a 503, and its log has no hash", async () => {
  const account = await openAccount();
  await refuseUpdates();
  const logged: unknown[] = [];
  vi.spyOn(console, "error").mockImplementation((...args) => void logged.push(...args));
  const change = { currentPassword: account.password, password: "another password 1" };
  expect((await callJson("PATCH", "/account", account.token, change)).status).toBe(503);
  expect(logged.length).toBeGreaterThan(0);
  expect(inspect(logged, { depth: 9 })).not.toContain(SECRET);
});
