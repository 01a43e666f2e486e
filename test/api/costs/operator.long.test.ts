import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import costs from "../../../docs/operating/costs.md?raw";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import { insertTakedown } from "../../../src/db/directory/takedowns.ts";
import { newId } from "../../../src/domain/ids.ts";
import { SERVICE_METER_NAME } from "../../../src/meter/service/service-meter.ts";
import worker from "../../../src/worker.ts";
import { BASE_URL, newAddress, openAccount, setTier, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { costTable } from "../../support/costs/cost-table.ts";
import { CountingEnv } from "../../support/costs/counting-env.ts";
import { leastBill } from "../../support/costs/least-bill.ts";
import { type Bill, emptyBill } from "../../support/costs/prices.ts";
import { png } from "../../support/media/samples.ts";
import { openOperator } from "../../support/operator/as-marked.ts";

// The platform's bill for the requests of the operator's room, by the session of a marked account: docs/operating/costs.md.

const TIMES = 3;
const PAGE = 50;
/** More than a page, so that a list that read all rows would cost more than a page. */
const TAKEDOWNS = 8 * PAGE;
const REASON = { reason: "Spam" };

const bills = new Map<string, Bill>();
let operator: TestAccount;
let counting: CountingEnv;

async function send(method: string, path: string, body?: object): Promise<Response> {
  const ctx = createExecutionContext();
  counting.addWorkerRequest();
  const headers = {
    Cookie: `__Host-session=${operator.token}`,
    "Sec-Fetch-Site": "same-origin",
    Origin: BASE_URL,
    "Content-Type": "application/json",
  };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await worker.fetch(new Request(BASE_URL + path, init), counting.env, ctx);
  const answer = new Response(await response.arrayBuffer(), response);
  await waitOnExecutionContext(ctx);
  expect([method, path, answer.status]).toEqual([method, path, 200]);
  return answer;
}

async function note(request: string, use: () => Promise<unknown>): Promise<void> {
  bills.set(request, await leastBill(counting, use, TIMES));
}

const billOf = (request: string) => bills.get(request) ?? emptyBill();

/** Takedowns of one upload, whose rows are only in the directory. */
async function insertTakedowns(accountId: string, uploadId: string, count: number): Promise<void> {
  const directory = openDirectory(env);
  const file = { objectKey: `uploads/${accountId}/${uploadId}-a.png`, mimeType: "image/png", sizeBytes: 1 };
  const state = { keepUntil: null, state: "destroyed" as const, stateAt: 1 };
  for (let number = 1; number <= count; number++) {
    const acts = { reason: "Spam", fileName: "a.png", actor: `account:${operator.id}` };
    const row = { id: newId(number), accountId, uploadId, createdAt: number, ...file, ...acts, ...state };
    await insertTakedown(directory, row, []);
  }
}

async function noteAccounts(): Promise<void> {
  const { email, id } = await openAccount();
  await counting.watchAccount(id);
  const path = `/admin/accounts/${email}`;
  await note("list of 50 accounts", () => send("GET", `/admin/accounts?limit=${PAGE}`));
  await note("account, read by the operator", () => send("GET", path));
  let tier = "free";
  await note("change of a tier", () => {
    tier = tier === "free" ? "starter" : "free";
    return send("PUT", path, { tier, accountId: id });
  });
  await note("account, suspended", () => send("POST", `${path}/suspend`, REASON));
  await note("account, restored", () => send("POST", `${path}/unsuspend`, REASON));
  await note("sessions of an account, ended", () => send("POST", `${path}/end-sessions`, REASON));
  const erased: TestAccount[] = [];
  for (let time = 0; time < TIMES; time++) {
    const account = await openAccount();
    await counting.watchAccount(account.id);
    erased.push(account);
  }
  await note("empty account, erased", () => send("POST", `/admin/accounts/${erased.pop()?.email}/erase`, REASON));
}

async function noteFiles(): Promise<void> {
  const owner = await openAccount();
  const files: { readonly _id: string; readonly url: string }[] = [];
  for (let time = 0; time < TIMES; time++)
    files.push(await uploadOne(owner.token, { name: "a.png", bytes: png(1, 1, 9400 + time) }));
  const reports: string[] = [];
  for (const { url } of files) {
    const headers = { "Content-Type": "application/json", "CF-Connecting-IP": newAddress() };
    const body = JSON.stringify({ url, reason: "Mine" });
    const answer = await worker.fetch(
      new Request(`${BASE_URL}/reports`, { method: "POST", headers, body }),
      env,
      createExecutionContext(),
    );
    reports.push((await answer.json<{ id: string }>()).id);
  }
  await counting.watchAccount(owner.id);
  await note("list of reports", () => send("GET", `/admin/reports?limit=${PAGE}`));
  await note("report with its file", () => send("GET", `/admin/reports/${reports[0]}`));
  await note("decision on a report", () =>
    send("POST", `/admin/reports/${reports.pop()}`, { decision: "dismissed", ...REASON }),
  );
  const taken: string[] = [];
  await note("file, taken down, first pass", async () => {
    const answer = await send("POST", "/admin/takedowns", { id: files.pop()?._id, ...REASON });
    taken.push((await answer.json<{ id: string }>()).id);
  });
  await note("file, restored, first pass", () => send("DELETE", `/admin/takedowns/${taken.pop()}`));

  const { _id } = await uploadOne(owner.token, { name: "b.png", bytes: png(1, 1, 9410) });
  await insertTakedowns(owner.id, _id, TAKEDOWNS);
  await note("list of 50 takedowns", () => send("GET", `/admin/takedowns?limit=${PAGE}`));
  await note("takedowns of one file, 50", () => send("GET", `/admin/takedowns?limit=${PAGE}&file=${_id}`));
}

async function noteService(): Promise<void> {
  const service = env.SERVICE_METER.getByName(SERVICE_METER_NAME);
  const ids = Array.from({ length: 2 * TIMES }, () => crypto.randomUUID());
  const body = { type: "file.viewed", accountId: operator.id, objectKey: "a", viewedAt: 1 } as const;
  const facts = { queue: "views-dead", attempts: 1, nextAt: null, reason: "R2 is away", body } as const;
  await service.reportLetters(
    ids.map((id) => ({ id, ...facts })),
    [],
  );
  await counting.watchService();
  await note("overview", () => send("GET", "/admin/overview"));
  await note("audit log, 50 entries", () => send("GET", `/admin/audit?limit=${PAGE}`));
  await note("list of overdue changes", () => send("GET", `/admin/intents?limit=${PAGE}`));
  await note("overdue change, tried again, without its steps", () =>
    send("POST", "/admin/intents/retry", { accountId: operator.id, id: "delete:none" }),
  );
  await note("list of dead letters", () => send("GET", `/admin/dead-letters?limit=${PAGE}`));
  await note("dead letter, sent again", () => send("POST", "/admin/dead-letters/retry", { ids: [ids.pop()] }));
  await note("dead letter, dropped", () => send("POST", "/admin/dead-letters/drop", { ids: [ids.pop()] }));
  await note("list of shards", () => send("GET", "/admin/shards"));
  await note("shard, opened", () => send("PUT", "/admin/shards/00", { open: true }));
}

beforeAll(async () => {
  await waitForQuietMinute(30_000);
  operator = await openOperator();
  // The rate of a Free account is 60 requests a minute.
  await setTier(operator.email, "business");
  counting = await CountingEnv.open(operator.id);
  await noteAccounts();
  await noteFiles();
  await noteService();
}, 120_000);

it("The page of costs has the counted figures of the operator's room", () => {
  const table = costTable([...bills]);
  expect(costs.includes(table), table).toBe(true);
});

it.each(["list of 50 takedowns", "takedowns of one file, 50"])("A page reads three rows a takedown: %s", (list) => {
  const { d1RowsRead, d1RowsWritten } = billOf(list);
  const signIn = billOf("list of overdue changes").d1RowsRead;
  expect(d1RowsWritten).toBe(0);
  // A row that is found by an index counts twice.
  expect(d1RowsRead - signIn).toBeLessThanOrEqual(2 * 3 * (PAGE + 1));
});
