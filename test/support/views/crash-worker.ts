import { DurableObject } from "cloudflare:workers";
import type { CdnEnv } from "../../../src/cdn/env.ts";
import type { JournaledView } from "../../../src/cdn/journal-store.ts";
import { ViewJournal as RealViewJournal } from "../../../src/cdn/view-journal.ts";
import { type RecordedView, recordView } from "../../../src/cdn/views.ts";
import type { FileViewed, ViewsCollected } from "../../../src/domain/queue-messages.ts";
import { consume } from "../../../src/jobs/consume.ts";
import { AccountMeter as RealAccountMeter } from "../../../src/meter/account-meter.ts";
import { OperationLog } from "../../../src/meter/books/operation-log.ts";
import { VIEWED_UPLOAD } from "./collected.ts";

/**
 * The path of a view from the CDN Worker to its account, in one process that can be killed: the product's journals, consumer and meters,
 * and a queue that survives like Cloudflare's, unlike the local one. Calls fail at random, before or after their effect; messages are
 * delivered once or several times.
 */

type Body = FileViewed | ViewsCollected;

interface CrashEnv extends Env {
  readonly VIEW_JOURNAL: CdnEnv["VIEW_JOURNAL"];
  readonly KEPT_QUEUE: DurableObjectNamespace<KeptQueue>;
  readonly ACCOUNT_METER: DurableObjectNamespace<AccountMeter>;
  /** One call in this number fails; 0: no call fails. */
  readonly FAULTS_EVERY: string;
}

const DELIVER_EVERY_MS = 100;
/** One message in this number is delivered each time: after a second on average, the interval of the journals. */
const DELIVERED_EVERY = 10;
/** One delivery in this number is repeated although it was acknowledged. */
const REPEATED_EVERY = 4;

let journals: CdnEnv["VIEW_JOURNAL"] | undefined;

function strikes(env: CrashEnv): boolean {
  return Number(env.FAULTS_EVERY) > 0 && Math.random() * Number(env.FAULTS_EVERY) < 1;
}

async function mayFail<T>(env: CrashEnv, call: () => Promise<T>): Promise<T> {
  if (strikes(env)) throw new Error("lost on the way there");
  const result = await call();
  if (strikes(env)) throw new Error("lost on the way back");
  return result;
}

/** A queue that delivers at least once, in no order. */
export class KeptQueue extends DurableObject<CrashEnv> {
  async send(body: Body): Promise<void> {
    this.ctx.storage.kv.put(crypto.randomUUID(), body);
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + DELIVER_EVERY_MS);
  }

  async count(): Promise<number> {
    return [...this.ctx.storage.kv.list()].length;
  }

  override async alarm(): Promise<void> {
    const entries = [...this.ctx.storage.kv.list<Body>()].filter(() => Math.random() * DELIVERED_EVERY < 1);
    const acked: string[] = [];
    const messages = entries.map(([id, body]) => ({
      id,
      body,
      attempts: 1,
      timestamp: new Date(),
      ack: () => void acked.push(id),
      retry: () => {},
    }));
    await consume({ queue: "media-host-views", messages } as unknown as MessageBatch, this.env).catch(console.error);
    for (const id of acked) if (Math.random() * REPEATED_EVERY >= 1) this.ctx.storage.kv.delete(id);
    if ((await this.count()) > 0) await this.ctx.storage.setAlarm(Date.now() + DELIVER_EVERY_MS);
  }
}

export class AccountMeter extends RealAccountMeter {
  async loggedViews(): Promise<string[]> {
    return new OperationLog(this.ctx.storage.sql).list(Number.MAX_SAFE_INTEGER).map(({ id }) => id);
  }
}

/** The CDN Worker's bindings. */
function cdnBindings(env: CrashEnv) {
  const queue = env.KEPT_QUEUE.getByName("views");
  return {
    VIEW_JOURNALS: "3",
    VIEWS: { send: (body: Body) => mayFail(env, () => queue.send(body)) } as unknown as CdnEnv["VIEWS"],
  };
}

export class ViewJournal extends RealViewJournal {
  constructor(state: DurableObjectState, env: CrashEnv) {
    super(state, { ...env, ...cdnBindings(env) } as unknown as CdnEnv);
  }

  async isEmpty(): Promise<boolean> {
    return this.ctx.storage.sql.exec("SELECT 1 FROM sequences LIMIT 1").toArray().length === 0;
  }
}

async function view(env: CrashEnv, accountId: string): Promise<RecordedView> {
  const objectKey = `uploads/${accountId}/${VIEWED_UPLOAD}-a.png`;
  const file = {
    kind: "file",
    accountId,
    uploadId: VIEWED_UPLOAD,
    version: VIEWED_UPLOAD,
    objectKey,
    query: "",
  } as const;
  return recordView({ ...cdnBindings(env), VIEW_JOURNAL: journalsOf(env) }, file);
}

/** One object for all requests, like a binding, so that simultaneous views share a call. */
function journalsOf(env: CrashEnv): CdnEnv["VIEW_JOURNAL"] {
  journals ??= {
    getByName: (name: string) => ({
      record: (told: readonly JournaledView[]) =>
        mayFail(env, async () => [...(await env.VIEW_JOURNAL.getByName(name).record(told))]),
    }),
  } as unknown as CdnEnv["VIEW_JOURNAL"];
  return journals;
}

async function isSettled(env: CrashEnv): Promise<boolean> {
  for (const name of ["views-0", "views-1", "views-2"]) {
    const journal = env.VIEW_JOURNAL.getByName(name) as unknown as DurableObjectStub<ViewJournal>;
    if (!(await journal.isEmpty())) return false;
  }
  return (await env.KEPT_QUEUE.getByName("views").count()) === 0;
}

export default {
  async fetch(request: Request, env: CrashEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const accountId = searchParams.get("account") ?? "";
    const meter = env.ACCOUNT_METER.getByName(accountId);
    switch (pathname) {
      case "/view":
        return Response.json(await view(env, accountId));
      case "/settled":
        return Response.json(await isSettled(env));
      case "/counted":
        return Response.json({ ids: await meter.loggedViews(), tenths: (await meter.read())?.classBTenths ?? 0 });
      default:
        return new Response(null, { status: 404 });
    }
  },
};
