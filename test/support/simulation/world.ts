import { DatabaseSync } from "node:sqlite";
import { addShards } from "../../../src/db/directory/shards.ts";
import { splitStatements } from "../../../src/db/migrate.ts";
import { MIGRATIONS } from "../../../src/db/migrations.ts";
import { ServiceError } from "../../../src/domain/errors.ts";
import type { Shard } from "../../../src/domain/ids.ts";
import type {
  ImportDue,
  ModerationRequested,
  ProofRequested,
  UploadStored,
} from "../../../src/domain/queue-messages.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import { backoffSeconds } from "../../../src/jobs/backoff.ts";
import { handleDueImport } from "../../../src/jobs/handle-due-import.ts";
import { handleRequestedModeration } from "../../../src/jobs/handle-requested-moderation.ts";
import { handleStoredUpload } from "../../../src/jobs/handle-stored-upload.ts";
import type { Config, Services } from "../../../src/services/context.ts";
import type { AskHook } from "../../../src/services/moderation/ask-hook.ts";
import { openStores, type StoreBindings } from "../../../src/services/open-services.ts";
import { BucketContents, BucketSimulation } from "./bucket.ts";
import { D1Simulation } from "./d1.ts";
import { MeterHost } from "./meter-host.ts";
import { emptyTables } from "./object-storage.ts";
import { openProcessor } from "./processor.ts";
import { type QueuedMessage, QueueSimulation } from "./queue.ts";
import type { Party, Scheduler } from "./scheduler.ts";
import { SqlDatabase } from "./sql.ts";
import { internet } from "./stand-ins/open-source.ts";

export const SHARDS: readonly Shard[] = ["00", "01"];
export const INTENT_TIMEOUT_SECONDS = 120;
/** Databases are used again, because creating their tables takes longer than a schedule. An index that was emptied often grows. */
const USES = 500;

const CONFIG: Config = {
  cdnUrl: "https://cdn.example",
  apiOrigin: "https://api.example",
  maxUploadBytes: 1_000_000,
  addressRatePerMinute: 1_000_000,
  addressRegistrationsPerHour: 1_000_000,
  intentTimeoutSeconds: INTENT_TIMEOUT_SECONDS,
  metricsFlushSeconds: 0,
  requestLog: "errors",
  jwtSecret: onlySecret("secret"),
  receiptSecret: onlySecret("secret"),
  previewSecret: onlySecret("secret"),
  urlSigningSecret: onlySecret("secret"),
  signInSecret: onlySecret("simulated"),
  adminToken: onlySecret("token"),
  authOrigins: [],
  registration: { mode: "open", turnstile: undefined },
  mail: { isSetUp: true, verification: "off", origin: "https://api.example" },
  webhooks: { secret: onlySecret("secret"), resolverUrl: "", allowsPrivate: false, ownHosts: [] },
  moderation: { url: "https://hook.example", secrets: [], filesUrl: "https://cdn.example" },
};

/** The end of a request for its client. */
export type Ending<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "error"; readonly error: unknown }
  /** Its isolate died. */
  | { readonly kind: "silent" };

interface Databases {
  readonly directory: SqlDatabase;
  readonly libraries: ReadonlyMap<Shard, SqlDatabase>;
  readonly meters: SqlDatabase[];
  uses: number;
}

let kept: Databases | undefined;

/** The stores, the queue, the objects and the isolates of one schedule. */
export class World {
  readonly scheduler: Scheduler;
  readonly files = new BucketContents();
  readonly directory: SqlDatabase;
  readonly libraries: ReadonlyMap<Shard, SqlDatabase>;
  readonly queue: QueueSimulation;
  readonly hosts = new Map<string, MeterHost>();
  /** Whether this installation has a moderation hook, which flags every file. */
  readonly isModerated: boolean;
  readonly #meters: SqlDatabase[];
  readonly #running = new Map<Party, () => void>();
  /** Requests for mailed links that no consumer has taken. */
  #proofs: { readonly party: Party; readonly message: ProofRequested }[] = [];
  #parties = 0;

  constructor(scheduler: Scheduler, isModerated: boolean) {
    this.scheduler = scheduler;
    this.isModerated = isModerated;
    internet.scheduler = scheduler;
    internet.files.clear();
    const databases = takeDatabases();
    this.directory = databases.directory;
    this.libraries = databases.libraries;
    this.#meters = databases.meters;
    this.queue = new QueueSimulation(scheduler, (message) => this.#consume(message));
  }

  async prepare(): Promise<void> {
    await this.request("deploy", ({ directory }) => addShards(directory, SHARDS, this.scheduler.now)).ended;
  }

  /** Runs a request in an isolate of its own. */
  request<T>(
    name: string,
    work: (services: Services, party: Party) => Promise<T>,
  ): { readonly party: Party; readonly ended: Promise<Ending<T>> } {
    const party: Party = { name: `${name}#${++this.#parties}`, isAlive: true, disturbances: 0 };
    const { promise, resolve } = Promise.withResolvers<Ending<T>>();
    const end = (ending: Ending<T>) => {
      this.#running.delete(party);
      this.scheduler.note(() => `${party.name} ends: ${describeEnding(ending)}`);
      resolve(ending);
    };
    this.#running.set(party, () => end({ kind: "silent" }));
    this.scheduler.current = party;
    work(this.#services(party), party).then(
      (value) => party.isAlive && end({ kind: "answered", value }),
      (error: unknown) => party.isAlive && end({ kind: "error", error }),
    );
    return { party, ended: promise };
  }

  /** Draws the failures of machines between two steps. @returns whether a client should be informed */
  disturb(): boolean {
    const { scheduler } = this;
    const { weather } = scheduler;
    if (scheduler.random() < 0.3) for (const host of this.hosts.values()) host.storage.flush();
    if (scheduler.strikes(weather.reset)) {
      const host = this.#pick([...this.hosts.values()].filter(({ isAwake }) => isAwake));
      if (host !== undefined) scheduler.note(() => `RESET of meter ${host.name.slice(-4)}`);
      host?.reset();
    }
    if (scheduler.strikes(weather.evict)) {
      const host = this.#pick([...this.hosts.values()].filter(({ isIdle }) => isIdle));
      if (host !== undefined) scheduler.note(() => `eviction of meter ${host.name.slice(-4)}`);
      host?.evict();
    }
    if (scheduler.strikes(weather.die)) {
      const died = this.#pick([...this.#running.keys()]);
      if (died === undefined) return false;
      scheduler.note(() => `DEATH of ${died.name}`);
      scheduler.kill(died);
      this.#running.get(died)?.();
      return true;
    }
    return false;
  }

  host(accountId: string): MeterHost {
    const known = this.hosts.get(accountId);
    if (known !== undefined) return known;
    const database = this.#meters[this.hosts.size] ?? new SqlDatabase(new DatabaseSync(":memory:"));
    this.#meters[this.hosts.size] = database;
    const host = new MeterHost(accountId, database, {
      scheduler: this.scheduler,
      bindings: (party) => this.#bindings(party) as unknown as Env,
    });
    this.hosts.set(accountId, host);
    return host;
  }

  /** Takes the links that a request has asked for. Other mails are dropped. */
  takeProofs(of: Party): ProofRequested[] {
    const messages = this.#proofs.filter(({ party }) => party === of).map(({ message }) => message);
    this.#proofs = this.#proofs.filter(({ party }) => party !== of);
    return messages.filter(({ type }) => type === "proof.requested");
  }

  #bindings(party: Party): StoreBindings {
    const of = { party, scheduler: this.scheduler };
    const libraries = [...this.libraries].map(([shard, database]) => [
      `LIBRARY_${shard}`,
      new D1Simulation(`D1 ${shard}`, database, of),
    ]);
    const bindings = {
      DB: new D1Simulation("D1", this.directory, of),
      ...Object.fromEntries(libraries),
      FILES: new BucketSimulation(this.files, of),
      MAILS: { send: async (message: unknown) => this.#proofs.push({ party, message: message as ProofRequested }) },
      UPLOADS: this.queue.binding(party),
      MODERATION: this.queue.binding(party),
      IMPORTS: this.queue.binding(party),
      MODERATION_URL: this.isModerated ? "https://hook.example" : "",
      ACCOUNT_METER: { getByName: (name: string) => this.host(name).stub(party) },
      ADDRESS_METER: { getByName: () => addressMeter },
      KEY_LOOKUPS: { limit: async () => ({ success: true }) },
      PREVIEW_READS: { limit: async () => ({ success: true }) },
      SERVICE_METER: { getByName: () => ({ reportIntents: () => this.#tell(party, "service.reportIntents") }) },
      VARIANT_BUDGET: {
        getByName: () => ({
          forget: () => this.#tell(party, "variants.forget"),
          erase: () => this.#tell(party, "variants.erase"),
        }),
      },
      // The object is opened with the other stores, but no client of a schedule calls it.
      RECONCILER: { getByName: () => ({}) },
      INTENT_TIMEOUT_SECONDS: String(INTENT_TIMEOUT_SECONDS),
    };
    return bindings as unknown as StoreBindings;
  }

  /** The figures of these objects are not part of the proof, but the objects may fail like all others. */
  #tell(party: Party, name: string): Promise<void> {
    return this.scheduler.call(
      party,
      () => name,
      () => new Error("Network connection lost."),
      () => undefined,
    );
  }

  #services(party: Party): Services {
    return {
      ...openStores(this.#bindings(party)),
      processor: openProcessor(party, this.scheduler),
      config: CONFIG,
      now: () => this.scheduler.now,
      waitUntil: () => undefined,
    };
  }

  #consume(message: QueuedMessage): void {
    const { party, ended } = this.request("consumer", (services, consumer) => {
      const delivered = {
        ...message,
        ack: () => party.isAlive && this.queue.ack(message),
        retry: ({ delaySeconds = 0 } = {}) => party.isAlive && this.queue.retry(message, delaySeconds),
      };
      const { type } = message.body;
      if (type === "moderation.requested") {
        const question = delivered as unknown as Message<ModerationRequested>;
        return handleRequestedModeration(question, backoffSeconds, { ...services, ask: this.#hook(consumer) });
      }
      if (type === "import.due")
        return handleDueImport(delivered as unknown as Message<ImportDue>, backoffSeconds, services);
      const stored = delivered as unknown as Message<UploadStored>;
      return handleStoredUpload(stored, backoffSeconds, { ...services, previewSecret: onlySecret("secret") });
    });
    // A consumer that died has acknowledged nothing.
    ended.then(({ kind }) => {
      if (kind !== "answered") this.queue.retry(message, 1);
    });
  }

  #hook(party: Party): AskHook {
    return () =>
      this.scheduler.call(
        party,
        () => "hook",
        () => new Error("The moderation hook failed: connection"),
        () => ({ action: "flag" as const, reason: "It is simulated" }),
      );
  }

  #pick<T>(candidates: readonly T[]): T | undefined {
    return candidates[Math.floor(this.scheduler.random() * candidates.length)];
  }
}

const nothing = async () => undefined;

/** The limits of addresses are tested elsewhere. Here every address may do everything. */
const addressMeter = {
  admit: async () => ({ outcome: "admitted", rate: { limit: 1e6, remaining: 1e6, resetAt: Number.MAX_SAFE_INTEGER } }),
  admitAttempt: async () => ({ ...(await addressMeter.admit()), begun: await addressMeter.beginAttempt() }),
  beginAttempt: async () => ({ attempt: { failed: nothing, withdraw: nothing, [Symbol.dispose]: () => undefined } }),
  beginLogIn: async () => ({ ...(await addressMeter.beginAttempt()), isForgetting: false }),
  countFailedLogIn: async () => 0,
  rememberLogIn: nothing,
  forgetLogIns: nothing,
  countOne: async () => 0,
  takeTurn: async () => true,
  endTurn: nothing,
};

function takeDatabases(): Databases {
  if (kept === undefined || kept.uses >= USES) {
    const open = (migrations: readonly { readonly sql: string }[]) => {
      const database = new SqlDatabase(new DatabaseSync(":memory:"));
      for (const { sql } of migrations) for (const statement of splitStatements(sql)) database.script(statement);
      return database;
    };
    const libraries = new Map(SHARDS.map((shard) => [shard, open(MIGRATIONS.library)]));
    kept = { directory: open(MIGRATIONS.directory), libraries, meters: [], uses: 0 };
  }
  kept.uses += 1;
  for (const database of [kept.directory, ...kept.libraries.values(), ...kept.meters]) {
    if (database.raw.isTransaction) database.script("ROLLBACK");
    emptyTables(database);
  }
  return kept;
}

export function statusOf(ending: Ending<unknown>): number | undefined {
  return ending.kind === "error" && ending.error instanceof ServiceError ? ending.error.statusCode : undefined;
}

function describeEnding(ending: Ending<unknown>): string {
  if (ending.kind === "error") return String(ending.error);
  return ending.kind === "silent" ? "silent" : `answered ${(JSON.stringify(ending.value) ?? "").slice(0, 200)}`;
}
