import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { updateSchema } from "../../../src/tools/deploy/update-schema.ts";

let server: Server | undefined;

afterEach(() => {
  vi.useRealTimers();
  server?.closeAllConnections();
  server?.close();
});

type SchemaAnswer = readonly [status: number, body: unknown];

/** A service that answers `POST /admin/schema` with these answers in turn. @param onAnswer is called before each */
async function serve(
  answers: readonly SchemaAnswer[],
  onAnswer: () => void = () => undefined,
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  server = createServer((request, response) => {
    const [status, body] = answers[Math.min(asked.length, answers.length - 1)] ?? [500, ""];
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    onAnswer();
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe("schema update", () => {
  it("The schema update ends when the deployed version has answered, not when the earlier version has", async () => {
    const { url, asked } = await serve([
      [404, "There is nothing here yet"],
      [200, { databases: [{ database: "DB", applied: [] }], version: "old" }],
      [503, { error: "Service temporarily unavailable", code: "service_unavailable" }],
      [200, { databases: [{ database: "LIBRARY_00", applied: ["0005_new.sql"] }], version: "new" }],
    ]);
    const applied = await updateSchema({ apiUrl: url, adminToken: "token", versionId: "new" });
    expect(applied).toEqual(["0005_new.sql to LIBRARY_00"]);
    expect(asked).toEqual(Array.from({ length: 4 }, () => "POST /admin/schema Bearer token"));
  });

  it("The schema update fails if the operator's token stays unknown for half a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { url, asked } = await serve([[401, { error: "Invalid or missing API key", code: "invalid_key" }]], () => {
      vi.setSystemTime(Date.now() + 20_000);
    });
    await expect(updateSchema({ apiUrl: url, adminToken: "lost", versionId: "new" })).rejects.toThrow(
      /does not accept this operator token.*--new-admin-token/s,
    );
    expect(asked).toHaveLength(2);
  });

  it("The schema update fails if a database has another version for half a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const refusal = {
      error: "The database has migrations that this version of the service does not know",
      code: "schema_too_new",
      details: { database: "DB" },
    };
    const { url, asked } = await serve([[409, refusal]], () => {
      vi.setSystemTime(Date.now() + 20_000);
    });
    await expect(updateSchema({ apiUrl: url, adminToken: "token", versionId: "new" })).rejects.toThrow(/does not know/);
    expect(asked).toHaveLength(2);
  });
});
