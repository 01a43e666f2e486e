import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { LISTS, type TestedList } from "../../support/paging/lists.ts";

type Row = Readonly<Record<string, unknown>>;

const ROWS = 7;
const LIMIT = 2;

interface Answer {
  readonly rows: readonly string[];
  readonly nextCursor: string | null;
}

function request(list: TestedList, account: TestAccount, query: Record<string, string | number>): Promise<Response> {
  const path = list.path.replace("EMAIL", encodeURIComponent(account.email));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const token = list.isOperators ? env.ADMIN_TOKEN : account.token;
  return call(`${path}${path.includes("?") ? "&" : "?"}${search}`, { headers: bearer(token) });
}

async function read(list: TestedList, account: TestAccount, query: Record<string, string | number>): Promise<Answer> {
  const response = await request(list, account, query);
  expect(response.status, await response.clone().text()).toBe(200);
  const body = await response.json<Record<string, Row[]> & { pagination: { nextCursor: string | null } }>();
  return { rows: (body[list.field] ?? []).map((row) => String(row[list.key])), nextCursor: body.pagination.nextCursor };
}

/** All rows of a list. An operator's list has rows of other tests, too. */
async function readWhole(list: TestedList, account: TestAccount): Promise<string[]> {
  const rows: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Answer = await read(list, account, { cursor });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  }
  return rows;
}

/** An account whose list has some rows. */
async function openWith(list: TestedList): Promise<TestAccount> {
  const account = await openAccount("business");
  for (let number = 0; number < ROWS; number++) await list.add?.(account, number);
  return account;
}

async function firstCursor(list: TestedList): Promise<{ account: TestAccount; cursor: string }> {
  const account = await openWith(list);
  const { nextCursor } = await read(list, account, { limit: 1 });
  expect(nextCursor).toBeTypeOf("string");
  return { account, cursor: nextCursor ?? "" };
}

async function expectRefused(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_cursor", details: { cursor: expect.any(String) } });
}

describe.each(LISTS)("The list $path", (list) => {
  it("A walk by cursor returns each row exactly once while rows are added and removed", async () => {
    const account = await openWith(list);
    const whole = await readWhole(list, account);
    expect(whole.length).toBeGreaterThanOrEqual(list.add === undefined ? 2 : ROWS);
    const gone = new Set<string>();
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let number = ROWS; cursor !== null; number++) {
      const page: Answer = await read(list, account, { limit: LIMIT, cursor });
      expect(page.rows.length).toBeLessThanOrEqual(LIMIT);
      seen.push(...page.rows);
      cursor = page.nextCursor;
      // The list ends although it grows: only some pages add a row.
      if (number < ROWS + 5) await list.add?.(account, number);
      const [last = "", later = ""] = [page.rows.at(-1), whole.findLast((row) => !seen.includes(row))];
      for (const row of number % 2 === 0 ? [last] : [later]) {
        if (list.remove === undefined || row === "" || !whole.includes(row)) continue;
        await list.remove(account, row);
        gone.add(row);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    const stayed = (row: string) => whole.includes(row) && !gone.has(row);
    expect(seen.filter(stayed)).toEqual(whole.filter(stayed));
  });

  it("A damaged cursor is 400", async () => {
    const { account, cursor } = await firstCursor(list);
    expect(encodeURIComponent(cursor)).toBe(cursor);
    const wrong = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, cursor + cursor, "x", "é", "x".repeat(7000)];
    for (const at of [0, 10, 20, cursor.length - 1])
      wrong.push(cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1));
    for (const each of wrong) await expectRefused(request(list, account, { cursor: each }));
  });

  it("A `limit` out of range is 400", async () => {
    const account = await openAccount("business");
    for (const limit of [0, -1, 10_001, "x"]) {
      const response = await request(list, account, { limit });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "invalid_paging", details: { limit: expect.any(String) } });
    }
  });
});

describe("A cursor of another list", () => {
  it("A cursor that belongs to another list or to other filters is 400 in every list", async () => {
    const account = await openAccount("business");
    const cursors: [TestedList, string][] = [];
    for (const list of LISTS) {
      for (let number = 0; number < 2; number++) await list.add?.(account, number + 50);
      const { nextCursor } = await read(list, account, { limit: 1 });
      cursors.push([list, nextCursor ?? ""]);
    }
    for (const list of LISTS) {
      for (const [other, cursor] of cursors) {
        if (other !== list) await expectRefused(request(list, account, { cursor }));
        else expect((await request(list, account, { cursor })).status).toBe(200);
      }
    }
  });

  it.each(LISTS.filter(({ isOperators, path }) => !isOperators && path !== "/tools"))(
    "A cursor of another account is 400 in $path",
    async (list) => {
      const { cursor } = await firstCursor(list);
      await expectRefused(request(list, await openWith(list), { cursor }));
    },
  );
});

it("`after` and `next` continue an operator's list as `cursor` and `pagination.nextCursor` do", async () => {
  const invitations = LISTS.find(({ path }) => path === "/admin/invitations") as TestedList;
  const account = await openWith(invitations);
  const first = await request(invitations, account, { limit: 2 });
  const { next, pagination } = await first.json<{ next: string; pagination: { nextCursor: string } }>();
  expect(next).toBe(pagination.nextCursor);
  const rest = await read(invitations, account, { cursor: next });
  const answer = await request(invitations, account, { after: next });
  const { invitations: rows } = await answer.json<{ invitations: Row[] }>();
  expect(rows.map(({ email }) => email)).toEqual(rest.rows);
});

interface Described {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: Schema }> }>>;
}
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Answers that are no lists. Days, parts of the service, the request or a fixed limit bound their arrays. */
const REPORTS = [
  ...["/settings/webhooks/{name}", "/folders/newest", "/history/{id}"],
  ...["/images/timeline", "/stats/operations", "/keys/{id}/analytics", "/stats/overview", "/settings"],
  ...["/admin/reconcile", "/admin/backup", "/settings/webhook", "/health/ready", "/admin/overview"],
];

it("Every described list takes `cursor` and answers `pagination`", async () => {
  const { paths, components } = await (await call("/openapi.json")).json<{
    paths: Record<string, { get?: Described }>;
    components: { schemas: Record<string, Schema> };
  }>();
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses["200"]?.content?.["application/json"]?.schema;
    const fields = Object.entries(schema === undefined ? {} : (resolve(schema).properties ?? {}));
    const isList = fields.some(([, field]) => resolve(field).type === "array");
    return isList && get !== undefined && !REPORTS.includes(path)
      ? [{ path, get, fields: Object.fromEntries(fields) }]
      : [];
  });
  const unpaged = lists.filter(
    ({ get, fields }) =>
      !get.parameters?.some(({ name }) => name === "cursor") ||
      resolve(fields.pagination ?? {}).properties?.nextCursor === undefined,
  );
  expect(lists.length).toBeGreaterThan(20);
  // An upload that was read by its id has tags, and a share has ids.
  expect(unpaged.map(({ path }) => path)).toEqual(["/shares/{id}", "/images/{id}"]);
});
