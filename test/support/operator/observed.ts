import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";
import { BASE_URL, bearer, newAddress } from "../api/api.ts";

/** The Worker as deployed: it counts and logs everything, and sends its counts soon. */
export const OBSERVED: Env = { ...env, METRICS_FLUSH_SECONDS: "0.05", REQUEST_LOG: "all" };

/** One request and its consequences: its counts have been sent. */
export async function observe(path: string, init: RequestInit = {}, bindings: Env = OBSERVED): Promise<Response> {
  const ctx = createExecutionContext();
  const headers = { "CF-Connecting-IP": newAddress(), ...(init.headers as Record<string, string> | undefined) };
  const response = await worker.fetch(new Request(BASE_URL + path, { ...init, headers }), bindings, ctx);
  const whole = new Response(await response.arrayBuffer(), response);
  await waitOnExecutionContext(ctx);
  return whole;
}

/** @returns the value of each series of GET /metrics */
export async function readSeries(bindings: Env = OBSERVED): Promise<Map<string, number>> {
  const response = await observe("/metrics", { headers: bearer(env.ADMIN_TOKEN) }, bindings);
  if (response.status !== 200) throw new Error(`GET /metrics answered ${response.status}`);
  return parseSeries(await response.text());
}

function parseSeries(text: string): Map<string, number> {
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((sample) => {
      const at = sample.lastIndexOf(" ");
      return [sample.slice(0, at), Number(sample.slice(at + 1))];
    }),
  );
}
