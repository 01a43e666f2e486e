import { TIER_NAMES } from "../domain/tiers.ts";
import { readDevVars } from "./local/dev-vars.ts";

/** `npm run admin`: the operator's commands, over the API. BASE_URL and ADMIN_TOKEN say where; else the local stack. */

const USAGE = `usage:
  npm run admin -- show EMAIL
  npm run admin -- set-tier EMAIL TIER      (${TIER_NAMES.join(", ")})`;

const baseUrl = (process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 8787}`).replace(/\/$/, "");
const adminToken = process.env.ADMIN_TOKEN ?? readDevVars().get("ADMIN_TOKEN");

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function call(method: string, email: string, body?: unknown): Promise<unknown> {
  if (adminToken === undefined) fail("error: ADMIN_TOKEN is not set, and there is no .dev.vars (run npm start once)");
  const response = await fetch(`${baseUrl}/admin/accounts/${encodeURIComponent(email)}`, {
    method,
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: Error) => fail(`error: ${baseUrl} does not answer (${error.message})`));
  const answer = (await response.json().catch(() => ({}))) as { error?: string; details?: unknown };
  if (!response.ok) {
    const details = answer.details === undefined ? "" : ` ${JSON.stringify(answer.details)}`;
    fail(`error: ${response.status} ${answer.error ?? ""}${details}`);
  }
  return answer;
}

const [command, email, tier, ...rest] = process.argv.slice(2);
if (rest.length > 0 || email === undefined) fail(USAGE);
if (command === "show" && tier === undefined) console.log(await call("GET", email));
else if (command === "set-tier" && tier !== undefined) console.log(await call("PUT", email, { tier }));
else fail(USAGE);
