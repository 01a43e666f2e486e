import type { Context, Next } from "hono";
import { MAX_REASON_CHARACTERS, OPERATOR_HEADER, REASON_HEADER } from "../../domain/operator.ts";
import { type OperatorAction, recordAction, recordEnd, toSubject } from "../../services/operator/audit.ts";
import type { AppEnv } from "../app-env.ts";

/** The log's own table may be missing before this operation, so its entry is written afterwards. */
const UPDATE_SCHEMA = "updateSchema";
const NO_NAME = "operator";
/** The path parameters that name the subject of an action. The account's id replaces an `email`. */
const SUBJECTS = ["accountId", "id", "shard"] as const;

/**
 * Records an action of the operator, carries it out and records the answer's status.
 * @throws ServiceError 503 if the action cannot be recorded: it is then not carried out
 */
export async function recordAround(c: Context<AppEnv>, action: string, next: Next): Promise<void> {
  const { services } = c.var;
  const entry: OperatorAction = {
    actor: readHeader(c, OPERATOR_HEADER) ?? NO_NAME,
    action,
    subject: await readSubject(c),
    reason: (await readReason(c)) ?? readHeader(c, REASON_HEADER) ?? null,
  };
  if (action === UPDATE_SCHEMA) {
    await next();
    await recordAction(services, entry, c.res.status);
    return;
  }
  const id = await recordAction(services, entry);
  await next();
  await recordEnd(services, id, c.res.status);
}

/** The text of a header, cut to the longest reason. Clients percent-encode it, because headers have only ASCII. */
function readHeader(c: Context<AppEnv>, name: string): string | undefined {
  const value = c.req.header(name)?.trim();
  if (value === undefined || value === "") return undefined;
  try {
    return decodeURIComponent(value).slice(0, MAX_REASON_CHARACTERS);
  } catch {
    return value.slice(0, MAX_REASON_CHARACTERS);
  }
}

/** The body's `reason`. The endpoint validates the body afterwards. */
async function readReason(c: Context<AppEnv>): Promise<string | undefined> {
  if (!/json/i.test(c.req.header("Content-Type") ?? "")) return undefined;
  const body: unknown = await c.req.json().catch(() => undefined);
  if (typeof body !== "object" || body === null || !("reason" in body)) return undefined;
  return typeof body.reason === "string" ? body.reason.slice(0, MAX_REASON_CHARACTERS) : undefined;
}

async function readSubject(c: Context<AppEnv>): Promise<string | null> {
  const email = c.req.param("email");
  if (email !== undefined) return toSubject(c.var.services, email.trim().toLowerCase());
  return (
    SUBJECTS.map((name) => c.req.param(name))
      .find((text) => text !== undefined)
      ?.slice(0, 100) ?? null
  );
}
