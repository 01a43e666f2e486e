import type { Context, Next } from "hono";
import { ServiceError } from "../../domain/errors.ts";
import {
  ACCOUNT_ACTOR,
  MAX_REASON_CHARACTERS,
  MODERATION_ACTOR,
  OPERATOR_HEADER,
  REASON_HEADER,
} from "../../domain/operator.ts";
import type { AccountContext } from "../../services/context.ts";
import { type OperatorAction, recordAction, recordEnd, toSubject } from "../../services/operator/audit.ts";
import type { AppEnv } from "../app-env.ts";

/** The log's own table may be missing before this operation, so its entry is written afterwards. */
const UPDATE_SCHEMA = "updateSchema";
const NO_NAME = "operator";
/** The path parameters that name the subject of an action. The account's id replaces an `email`. */
const SUBJECTS = ["accountId", "id", "shard"] as const;

interface RecordedAction {
  /** The operation's id. */
  readonly action: string;
  /** The account whose session acts; undefined for the operator's token. */
  readonly by?: AccountContext;
  /** Refuses the action after it is recorded. */
  judge?(): Promise<void>;
}

/**
 * Records an action of the operator, carries it out and records the answer's status.
 * @throws ServiceError 503 if the action cannot be recorded: it is then not carried out; the refusals of `judge`
 */
export async function recordAround(
  c: Context<AppEnv>,
  { action, by, judge = async () => {} }: RecordedAction,
  next: Next,
): Promise<void> {
  const { services } = c.var;
  const entry: OperatorAction = {
    actor: by === undefined ? readActor(c) : `${ACCOUNT_ACTOR}${by.accountId}`,
    action,
    subject: await readSubject(c),
    reason: (await readReason(c)) ?? readHeader(c, REASON_HEADER) ?? null,
  };
  c.set("actor", entry.actor);
  if (action === UPDATE_SCHEMA) {
    await next();
    await recordAction(services, entry, c.res.status);
    return;
  }
  const id = await recordAction(services, entry);
  try {
    await judge();
  } catch (error) {
    if (error instanceof ServiceError) await recordEnd(services, id, error.statusCode);
    throw error;
  }
  await next();
  await recordEnd(services, id, c.res.status);
}

/** The name in the header. The name of an account or of the moderation hook is quoted, so that it cannot pass for either. */
function readActor(c: Context<AppEnv>): string {
  const name = readHeader(c, OPERATOR_HEADER) ?? NO_NAME;
  return name.startsWith(ACCOUNT_ACTOR) || name === MODERATION_ACTOR ? JSON.stringify(name) : name;
}

/** The e-mail of the path, as accounts have it. */
export function readEmail(c: Context<AppEnv>): string | undefined {
  return c.req.param("email")?.trim().toLowerCase();
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
  const email = readEmail(c);
  if (email !== undefined) return toSubject(c.var.services, email);
  return (
    SUBJECTS.map((name) => c.req.param(name))
      .find((text) => text !== undefined)
      ?.slice(0, 100) ?? null
  );
}
