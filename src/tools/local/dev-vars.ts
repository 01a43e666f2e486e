import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeIfChanged } from "./write-if-changed.ts";

const API_VARS = ".dev.vars";
const CDN_VARS = "src/cdn/.dev.vars";
const SECRETS = [
  "JWT_SECRET",
  "ADMIN_TOKEN",
  "PREVIEW_SECRET",
  "WEBHOOK_SECRET",
  "SIGN_IN_SECRET",
  "RECEIPT_SECRET",
  "URL_SIGNING_SECRET",
] as const;
/** The secrets that the CDN Worker has, too, with their second values. */
const SHARED = ["PREVIEW_SECRET", "URL_SIGNING_SECRET"].flatMap((name) => [name, `${name}_2`]);
/** A short delay, so that people who try the service see that their views are counted. */
const LOCAL_FLUSH_SECONDS = "2";

/** The local secrets by name. */
export function readDevVars(): Map<string, string> {
  if (!existsSync(API_VARS)) return new Map();
  const lines = readFileSync(API_VARS, "utf8").split("\n");
  return new Map(
    lines.flatMap((line) => {
      const match = /^\s*([A-Z0-9_]+)\s*=\s*"?([^"\n]*?)"?\s*$/.exec(line);
      return match?.[1] === undefined || match[2] === undefined ? [] : [[match[1], match[2]] as const];
    }),
  );
}

/**
 * Generates missing secrets and passes the shared ones to the CDN Worker. The CDN Worker's variables are here as well, because `wrangler dev`
 * accepts variables for the API Worker only.
 */
export async function ensureDevVars(): Promise<void> {
  const vars = readDevVars();
  const before = vars.size;
  for (const name of SECRETS) if (!vars.get(name)) vars.set(name, randomBytes(32).toString("base64url"));
  if (vars.size !== before) await writeVars(API_VARS, vars);
  const cdnVars = {
    ...Object.fromEntries(SHARED.flatMap((name) => (vars.has(name) ? [[name, vars.get(name) ?? ""]] : []))),
    VIEW_FLUSH_SECONDS: process.env.VIEW_FLUSH_SECONDS ?? LOCAL_FLUSH_SECONDS,
  };
  await writeVars(CDN_VARS, new Map(Object.entries(cdnVars)));
}

async function writeVars(path: string, vars: Map<string, string>): Promise<void> {
  await writeIfChanged(path, [...vars].map(([name, value]) => `${name}="${value}"\n`).join(""));
}
