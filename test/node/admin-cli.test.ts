import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, it } from "vitest";

/** Runs `npm run admin -- ...` against a service that this listener implements. */
async function runAdmin(args: readonly string[], listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, BASE_URL: `http://127.0.0.1:${port}`, ADMIN_TOKEN: "secret" };
  const child = spawn(process.execPath, ["src/cli/admin.ts", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const [exitCode] = await once(child, "close");
  server.close();
  return { exitCode, output };
}

it("`retry-thumbnails` waits as the service asks, then resumes", async () => {
  const asked: unknown[] = [];
  const { exitCode, output } = await runAdmin(["retry-thumbnails"], async (request, response) => {
    asked.push(await json(request));
    const status = [200, 429, 503, 200][asked.length - 1] ?? 500;
    const answer =
      asked.length === 1
        ? { announced: 100, pagination: { nextCursor: "a.b" } }
        : { announced: 7, pagination: { nextCursor: null } };
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(status === 200 ? answer : { error: "later", details: { retryAfter: 1 } }));
  });
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: "announced: 107\n" });
  expect(asked).toEqual([{}, { cursor: "a.b" }, { cursor: "a.b" }, { cursor: "a.b" }]);
});

it("`retry-thumbnails` reports at the end that the service is still busy", async () => {
  let asked = 0;
  const { exitCode, output } = await runAdmin(["show", "person@example.com"], (_, response) => {
    asked += 1;
    response.writeHead(503, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        error: "Service temporarily unavailable",
        code: "service_unavailable",
        details: { retryAfter: 0 },
      }),
    );
  });
  expect(exitCode).toBe(1);
  expect(output).toContain("503 Service temporarily unavailable");
  expect(asked).toBe(5);
});

it("`invite` invites an address for some days, and `uninvite` revokes the invitation", async () => {
  const asked: unknown[] = [];
  const answer: RequestListener = async (request, response) => {
    const body = request.method === "PUT" ? await json(request) : undefined;
    asked.push([request.method, request.url, body]);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ email: "a+b@example.com" }));
  };
  expect((await runAdmin(["invite", "a+b@example.com", "7"], answer)).output).toContain("a+b@example.com");
  expect((await runAdmin(["invite", "a+b@example.com"], answer)).exitCode).toBe(0);
  expect((await runAdmin(["invite", "a+b@example.com", "7", "--show"], answer)).exitCode).toBe(0);
  expect((await runAdmin(["uninvite", "a+b@example.com"], answer)).exitCode).toBe(0);
  const path = "/admin/invitations/a%2Bb%40example.com";
  expect(asked).toEqual([
    ["PUT", path, { days: 7 }],
    ["PUT", path, {}],
    ["PUT", path, { days: 7, show: true }],
    ["DELETE", path, undefined],
  ]);
  expect(await runAdmin(["invite", "a@example.com", "soon"], answer)).toEqual({
    exitCode: 1,
    output: 'error: DAYS must be a number of days, not "soon"\n',
  });
});

it("`set-tier` sends the account's id if the operator got it from its owner", async () => {
  const asked: unknown[] = [];
  const answer: RequestListener = async (request, response) => {
    asked.push(await json(request));
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ tier: "pro" }));
  };
  expect((await runAdmin(["set-tier", "a@example.com", "pro"], answer)).exitCode).toBe(0);
  expect((await runAdmin(["set-tier", "a@example.com", "pro", "01abc"], answer)).exitCode).toBe(0);
  expect(asked).toEqual([{ tier: "pro" }, { tier: "pro", accountId: "01abc" }]);
});

it("`invitations` lists all invitations, page by page", async () => {
  const asked: (string | undefined)[] = [];
  const { output } = await runAdmin(["invitations"], (request, response) => {
    asked.push(request.url);
    const isFirst = asked.length === 1;
    const invitations = [{ email: isFirst ? "a@example.com" : "z@example.com" }];
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ invitations, pagination: { nextCursor: isFirst ? "a@example.com" : null } }));
  });
  expect(asked).toEqual(["/admin/invitations", "/admin/invitations?cursor=a%40example.com"]);
  for (const email of ["a@example.com", "z@example.com"]) expect(output).toContain(email);
});

it("`reconcile` checks one account to its end and prints the findings", async () => {
  const asked: unknown[] = [];
  const { exitCode, output } = await runAdmin(["reconcile", "--repair", "a@example.com"], async (request, response) => {
    asked.push([request.url, await json(request)]);
    const finding = { kind: "row-lost", subject: "01x", repaired: true };
    const isFirst = asked.length === 1;
    const answer = { findings: isFirst ? [finding] : [], pagination: { nextCursor: isFirst ? "uploads.5" : null } };
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: "repaired  row-lost  01x\ndifferences: 1\n" });
  const path = "/admin/accounts/a%40example.com/reconcile";
  expect(asked).toEqual([
    [path, { repair: true }],
    [path, { repair: true, cursor: "uploads.5" }],
  ]);
});

it("`reconcile` without an account waits until the run ends", async () => {
  const asked: string[] = [];
  const figures = { accounts: 1, uploads: 2, postponed: 0, found: {}, repaired: {} };
  const { exitCode, output } = await runAdmin(["reconcile"], (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isOver = asked.length > 1;
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ current: isOver ? null : figures, last: isOver ? figures : null, findings: [] }));
  });
  expect(exitCode).toBe(0);
  expect(asked).toEqual(["POST /admin/reconcile", "GET /admin/reconcile"]);
  expect(output).toContain("comparing ... (1 accounts, 2 uploads)");
});
