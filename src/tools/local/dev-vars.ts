import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";

const API_VARS = ".dev.vars";
const CDN_VARS = "src/cdn/.dev.vars";
const SECRETS = ["JWT_SECRET", "ADMIN_TOKEN", "PREVIEW_SECRET", "WEBHOOK_SECRET"] as const;
/** Whoever tries the service out wants to see a view counted. */
const LOCAL_FLUSH_SECONDS = "2";

/** The local secrets by name; empty where there are none yet. */
export function readDevVars(): Map<string, string> {
  if (!existsSync(API_VARS)) return new Map();
  const lines = readFileSync(API_VARS, "utf8").split("\n");
  return new Map(
    lines.flatMap((line) => {
      const match = /^\s*([A-Z_]+)\s*=\s*"?([^"\n]*?)"?\s*$/.exec(line);
      return match?.[1] === undefined || match[2] === undefined ? [] : [[match[1], match[2]] as const];
    }),
  );
}

/**
 * Makes the secrets that are missing, and gives the CDN Worker the one that it shares. `wrangler dev` takes variables on its command
 * line for the API Worker only, so that the CDN Worker's are here, too.
 */
export async function ensureDevVars(): Promise<void> {
  const vars = readDevVars();
  const before = vars.size;
  for (const name of SECRETS) if (!vars.get(name)) vars.set(name, randomBytes(32).toString("base64url"));
  if (vars.size !== before) await writeVars(API_VARS, vars);
  const cdnVars = {
    PREVIEW_SECRET: vars.get("PREVIEW_SECRET") ?? "",
    VIEW_FLUSH_SECONDS: process.env.VIEW_FLUSH_SECONDS ?? LOCAL_FLUSH_SECONDS,
  };
  await writeVars(CDN_VARS, new Map(Object.entries(cdnVars)));
}

async function writeVars(path: string, vars: Map<string, string>): Promise<void> {
  const text = [...vars].map(([name, value]) => `${name}="${value}"\n`).join("");
  await writeFile(path, text, { mode: 0o600 });
}
