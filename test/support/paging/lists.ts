import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import { insertPasskey } from "../../../src/db/directory/passkeys.ts";
import { insertReport } from "../../../src/db/directory/reports.ts";
import { auditLog, reports, takedowns } from "../../../src/db/directory/schema.ts";
import { insertTakedown } from "../../../src/db/directory/takedowns.ts";
import { newId } from "../../../src/domain/ids.ts";
import { meterOf } from "../api/account-state.ts";
import { bearer, call, callJson, type TestAccount, uploadOne } from "../api/api.ts";
import { png } from "../media/samples.ts";

/** A list of the API, with rows that a test adds and removes. */
export interface TestedList {
  readonly path: string;
  /** The answer's field with the rows. */
  readonly field: string;
  /** The row's field that `add` returns. */
  readonly key: string;
  readonly isOperators?: boolean;
  /** @returns the new row's key; undefined if the list cannot grow */
  add?(account: TestAccount, number: number): Promise<string>;
  /** Absent if no row of the list is ever removed. */
  remove?(account: TestAccount, key: string): Promise<unknown>;
}

const directory = openDirectory(env);
const sql = (id: string, query: string, ...values: SqlStorageValue[]) =>
  runInDurableObject(meterOf(id), (_, { storage }) => void storage.sql.exec(query, ...values));
const service = env.SERVICE_METER.getByName("service");
let time = Date.now();
/** Ids of the same millisecond have no order. */
function nextId(): string {
  time += 1;
  return newId(time);
}

async function made(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json<{ _id: string }>())._id;
}

const drop = (path: string) => (account: TestAccount, key: string) =>
  call(`${path}/${key}`, { method: "DELETE", headers: bearer(account.token) });

async function tagged(account: TestAccount, number: number): Promise<string> {
  const tag = `tag ${String((number * 7) % 100).padStart(3, "0")}`;
  await uploadOne(account.token, { name: "a.png", bytes: png() }, { tags: tag });
  return tag;
}

async function untag(account: TestAccount, tag: string): Promise<void> {
  await callJson("POST", "/images/bulk-trash", account.token, { filter: { folderId: "all", tags: [tag] } });
}

async function stored({ token }: TestAccount, number: number): Promise<string> {
  return (await uploadOne(token, { name: `${(number * 7) % 100}.png`, bytes: png() }))._id;
}

const trash = ({ token }: TestAccount, id: string) => callJson("POST", "/images/bulk-trash", token, { ids: [id] });

export const LISTS: readonly TestedList[] = [
  {
    path: "/duplicates",
    field: "groups",
    key: "sha256",
    add: async ({ token }, number) => {
      const bytes = png(number + 1, 1);
      await uploadOne(token, { name: "a.png", bytes });
      return (await uploadOne(token, { name: "b.png", bytes })).sha256 ?? "";
    },
    remove: ({ token }, sha256) =>
      callJson("POST", "/images/bulk-trash", token, { filter: { folderId: "all", sha256 } }),
  },
  {
    path: "/folders",
    field: "folders",
    key: "_id",
    add: ({ token }, number) =>
      made(callJson("POST", "/folders", token, { name: `f ${(number * 7) % 100}`, parentId: null })),
    remove: drop("/folders"),
  },
  {
    path: "/keys",
    field: "keys",
    key: "_id",
    add: ({ token }, number) => made(callJson("POST", "/keys", token, { name: `k ${number}`, scopes: ["upload"] })),
    remove: drop("/keys"),
  },
  {
    path: "/signing-keys",
    field: "keys",
    key: "_id",
    add: ({ token }, number) => made(callJson("POST", "/signing-keys", token, { name: `k ${number}` })),
    remove: drop("/signing-keys"),
  },
  {
    path: "/upload-tokens",
    field: "uploadTokens",
    key: "_id",
    add: ({ token }) => made(callJson("POST", "/upload-tokens", token, {})),
    remove: drop("/upload-tokens"),
  },
  {
    path: "/shares",
    field: "shares",
    key: "_id",
    add: ({ token }) => made(callJson("POST", "/shares", token, { folderId: "root" })),
    remove: drop("/shares"),
  },
  {
    path: "/settings/presets",
    field: "presets",
    key: "name",
    add: async ({ token }, number) => {
      const name = `p-${(number * 7) % 100}`;
      await callJson("PUT", `/settings/presets/${name}`, token, { parameters: "w=300" });
      return name;
    },
    remove: drop("/settings/presets"),
  },
  {
    path: "/settings/webhooks",
    field: "webhooks",
    key: "name",
    // An account has at most five, so they are written directly.
    add: async ({ id }, number) => {
      const name = `w-${(number * 7) % 100}`;
      const columns = "name, id, url, events, created_at, position, state";
      await sql(
        id,
        `INSERT OR REPLACE INTO webhooks (${columns}) VALUES (?, 'a', 'https://a.example/', '[]', 1, 0, '{}')`,
        name,
      );
      return name;
    },
    remove: ({ id }, key) => sql(id, "DELETE FROM webhooks WHERE name = ?", key),
  },
  { path: "/tags?sort=name", field: "tags", key: "tag", add: tagged, remove: untag },
  { path: "/tags?sort=name&q=tag", field: "tags", key: "tag", add: tagged, remove: untag },
  { path: "/tags", field: "tags", key: "tag", add: tagged, remove: untag },
  { path: "/tags?q=tag", field: "tags", key: "tag", add: tagged, remove: untag },
  ...["/images?folderId=all", "/images?folderId=all&favorite=false", "/images?folderId=all&sort=name&order=asc"].map(
    (path) => ({ path, field: "images", key: "_id", add: stored, remove: trash }),
  ),
  // No entry of these is ever removed before its time.
  { path: "/logs", field: "logs", key: "_id", add: stored },
  { path: "/logs?class=A", field: "logs", key: "_id", add: stored },
  {
    path: "/events",
    field: "events",
    key: "_id",
    add: async (account, number) => {
      // Without a first reader nothing is recorded.
      await call("/events?limit=1", { headers: bearer(account.token) });
      return stored(account, number);
    },
  },
  {
    path: "/imports",
    field: "imports",
    key: "_id",
    add: async ({ id }) => {
      const importId = nextId();
      const columns = "id, created_at, importer, importer_id, total";
      await sql(id, `INSERT INTO imports (${columns}) VALUES (?, 1, 'session', 'a', 1)`, importId);
      return importId;
    },
    remove: ({ id }, key) => sql(id, "DELETE FROM imports WHERE id = ?", key),
  },
  {
    path: "/images/upload",
    field: "uploads",
    key: "_id",
    add: async ({ token }) => {
      const headers = { ...bearer(token), "Tus-Resumable": "1.0.0", "Upload-Length": "100" };
      const response = await call("/images/upload", { method: "POST", headers });
      return (response.headers.get("Location") ?? "").split("/").at(-1) ?? "";
    },
    remove: ({ token }, key) =>
      call(`/images/upload/${key}`, { method: "DELETE", headers: { ...bearer(token), "Tus-Resumable": "1.0.0" } }),
  },
  {
    path: "/sessions",
    field: "sessions",
    key: "_id",
    add: async ({ id }) => {
      const sessionId = nextId();
      const values = [sessionId, (time % 3) + 1, Date.now() + 1e9];
      await sql(id, "INSERT INTO sessions (id, created_at, expires_at) VALUES (?, ?, ?)", ...values);
      return sessionId;
    },
    remove: ({ id }, key) => sql(id, "DELETE FROM sessions WHERE id = ?", key),
  },
  {
    path: "/passkeys",
    field: "passkeys",
    key: "_id",
    add: async ({ id: accountId }) => {
      const id = nextId();
      const secret = { credentialId: id, publicKey: "", counter: 0, transports: [], challengedAt: 0 };
      await insertPasskey(directory, { id, accountId, name: "a", createdAt: time, usedAt: null, ...secret }, 100);
      return id;
    },
    remove: drop("/passkeys"),
  },
  {
    path: "/alerts",
    field: "alerts",
    key: "_id",
    add: async ({ id }) => {
      const alertId = nextId();
      await sql(
        id,
        "INSERT INTO alerts (id, threshold, used_tenths, operations_limit, month_ends_at, at) VALUES (?, 50, 1, 1, 1, 1)",
        alertId,
      );
      return alertId;
    },
    remove: ({ id }, key) => sql(id, "DELETE FROM alerts WHERE id = ?", key),
  },
  { path: "/tools", field: "tools", key: "name" },
  { path: "/admin/shards", field: "shards", key: "shard", isOperators: true },
  {
    path: "/admin/invitations",
    field: "invitations",
    key: "email",
    isOperators: true,
    add: async (_, number) => {
      const email = `guest-${(number * 7) % 100}@example.com`;
      await callJson("PUT", `/admin/invitations/${email}`, env.ADMIN_TOKEN, { show: true });
      return email;
    },
    remove: (_, key) => call(`/admin/invitations/${key}`, { method: "DELETE", headers: bearer(env.ADMIN_TOKEN) }),
  },
  {
    path: "/admin/audit?subject=walked",
    field: "entries",
    key: "id",
    isOperators: true,
    add: async () => {
      const id = nextId();
      const entry = { id, at: time, actor: "a", action: "b", subject: "walked", reason: null, status: 200 };
      await directory.insert(auditLog).values(entry);
      return id;
    },
  },
  {
    path: "/admin/reports",
    field: "reports",
    key: "id",
    isOperators: true,
    add: async () => {
      const id = nextId();
      const open = { accountId: null, uploadId: null, email: null, decision: null, note: null, decidedAt: null };
      await insertReport(directory, { id, source: "public", url: "a", reason: "b", createdAt: time, ...open });
      return id;
    },
    remove: (_, key) => directory.delete(reports).where(eq(reports.id, key)),
  },
  {
    path: "/admin/takedowns",
    field: "takedowns",
    key: "id",
    isOperators: true,
    add: async ({ id: accountId }) => {
      const id = nextId();
      const file = { objectKey: "a", mimeType: "image/png", sizeBytes: 1 };
      const row = { ...file, reason: "b", createdAt: time, keepUntil: null, state: "destroyed" as const };
      const names = { fileName: null, actor: null };
      await insertTakedown(directory, { id, accountId, uploadId: id, ...row, ...names, stateAt: time }, []);
      return id;
    },
    remove: (_, key) => directory.delete(takedowns).where(eq(takedowns.id, key)),
  },
  {
    path: "/admin/intents",
    field: "intents",
    key: "id",
    isOperators: true,
    add: async () => {
      const id = nextId();
      await service.reportIntents(id, [{ id, kind: "delete", attempts: 1, nextAt: 1, reason: "a" }]);
      return id;
    },
    remove: (_, key) => service.reportIntents(key, []),
  },
  {
    path: "/admin/accounts/EMAIL/intents",
    field: "intents",
    key: "id",
    isOperators: true,
    add: async ({ id }, number) => {
      const key = `delete:${(number * 7) % 100}`;
      const intent = { kind: "delete", uploadId: String(number) };
      await sql(
        id,
        "INSERT INTO intents (id, kind, payload, reserved_bytes, due_at, attempts) VALUES (?, 'delete', ?, 0, ?, 0)",
        ...[key, JSON.stringify(intent), Date.now() + 1e9],
      );
      return key;
    },
    remove: ({ id }, key) => sql(id, "DELETE FROM intents WHERE id = ?", key),
  },
];
