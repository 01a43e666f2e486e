import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, it } from "vitest";

/** Runs `npm run admin -- ...` against a service that answers like this. */
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

it("retry-thumbnails goes on where it was, once the service has told it to wait", async () => {
  const asked: unknown[] = [];
  const { exitCode, output } = await runAdmin(["retry-thumbnails"], async (request, response) => {
    asked.push(await json(request));
    const status = [200, 429, 503, 200][asked.length - 1] ?? 500;
    const answer = asked.length === 1 ? { announced: 100, next: "a.b" } : { announced: 7, next: null };
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(status === 200 ? answer : { error: "later", details: { retryAfter: 1 } }));
  });
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: "announced: 107\n" });
  expect(asked).toEqual([{}, { after: "a.b" }, { after: "a.b" }, { after: "a.b" }]);
});

it("says in the end that the service is still busy", async () => {
  let asked = 0;
  const { exitCode, output } = await runAdmin(["show", "person@example.com"], (_, response) => {
    asked += 1;
    response.writeHead(503, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ error: "Service temporarily unavailable", details: { retryAfter: 0 } }));
  });
  expect(exitCode).toBe(1);
  expect(output).toContain("503 Service temporarily unavailable");
  expect(asked).toBe(5);
});
