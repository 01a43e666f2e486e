import { afterEach, beforeEach, expect, it, vi } from "vitest";
import hook from "../../../docs/operating/moderation-hook.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { call } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";
import { HOOK, HOOK_SECRET, HookedHost } from "../../support/moderation/hooked-host.ts";
import { asOperator } from "../../support/operator/as-operator.ts";

// The example of docs/operating/abuse.md answers the real service's questions; only the model is a double.

interface Asked {
  readonly prompt: string;
  readonly image: string;
}

const asked: Asked[] = [];
let said: string;
let internet: Internet;
let host: HookedHost;

beforeEach(() => {
  asked.length = 0;
  internet = new Internet();
  host = new HookedHost();
  const run = async (_model: string, question: Asked) => {
    asked.push(question);
    return { response: said };
  };
  const env = { AI: { run }, MODERATION_SECRET: HOOK_SECRET };
  internet.answer = async ({ headers, body }) => {
    const service = vi.mocked(globalThis.fetch).getMockImplementation();
    const read = async (input: RequestInfo | URL) => {
      const { pathname, search } = new URL(String(input));
      return call(pathname + search);
    };
    vi.mocked(globalThis.fetch).mockImplementation(read);
    const answer = await hook.fetch(new Request(HOOK, { method: "POST", headers, body }) as never, env as never);
    if (service !== undefined) vi.mocked(globalThis.fetch).mockImplementation(service);
    return answer;
  };
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function reportsOf(uploadId: string): Promise<{ uploadId: string; reason: string }[]> {
  const answer = await asOperator("GET", "reports?status=all");
  const { reports } = await answer.json<{ reports: { uploadId: string; reason: string }[] }>();
  return reports.filter((report) => report.uploadId === uploadId);
}

it("The documented hook shows the picture to the model, and flags pictures that the model calls unsafe", async () => {
  const { token } = await host.open();
  const bytes = png(2, 2, 1000);
  said = " SAFE\n";
  const safe = await host.uploadOne(token, { name: "a.png", bytes });
  expect(await host.deliver()).toEqual(["acked"]);
  expect(asked[0]?.image).toBe(`data:image/png;base64,${Buffer.from(bytes).toString("base64")}`);
  expect(await reportsOf(safe._id)).toEqual([]);
  said = "UNSAFE: weapons";
  const unsafe = await host.uploadOne(token, { name: "b.png", bytes });
  expect(await host.deliver()).toEqual(["acked"]);
  const reason = "@cf/meta/llama-3.2-11b-vision-instruct: UNSAFE: weapons";
  expect(await reportsOf(unsafe._id)).toMatchObject([{ reason }]);
});

it("The documented hook refuses a question that the service did not sign", async () => {
  const request = new Request(HOOK, {
    method: "POST",
    body: JSON.stringify({ data: { readUrl: "https://a.example/" } }),
  });
  const answer = await hook.fetch(request as never, { AI: {}, MODERATION_SECRET: HOOK_SECRET } as never);
  expect(answer.status).toBe(401);
  expect(asked).toEqual([]);
});
