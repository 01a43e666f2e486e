import { DurableObject } from "cloudflare:workers";
import { openDirectory } from "../../db/directory/directory.ts";
import {
  FIRST_ENTRY,
  findStrayEntries,
  mergeSomeSearch,
  removeStrayEntries,
} from "../../db/library/compare/tend-search.ts";
import { type Libraries, openLibraries } from "../../db/library/library.ts";
import { findLibraryState } from "../../db/library/library-state.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/calendar.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { accountMarker } from "../../domain/object-key.ts";
import { retry, retryBucket, retryStub } from "../../isolate/calls.ts";
import type { Finding } from "./finding.ts";
import { hasObjects } from "./has-objects.ts";
import { listAccounts } from "./list-accounts.ts";
import { type DueAccount, type ReconcileRun, type RunFinding, RunStore } from "./run-store.ts";

/** The time of one alarm; the next one follows at once. An alarm may take 15 minutes (Durable Objects, "Limits"). */
const WORK_MS = 20_000;
/** Accounts that are compared in parallel. Each of them waits for its stores most of the time. */
const ACCOUNTS_AT_ONCE = 8;
const ORPHANS_PER_STEP = 1000;
const MAX_ATTEMPTS = 3;
const PAUSE_AFTER_FAILURE_MS = MINUTE_MS;
/** The age at which a file of no upload is deleted: no upload takes this long. */
export const ORPHAN_AGE_MS = DAY_MS;
/**
 * The most orphans that a run deletes. If files were taken for orphans by mistake, one night would not delete them all. The next run
 * continues.
 */
export const MAX_ORPHANS = 10_000;
/** Each upload's search entry is compared with its names once in four weeks. */
const SEARCHED_EVERY = 28;
/** Merge steps per search index and night. The next night continues. */
const MERGES_PER_RUN = 50;

export interface Reconciliation {
  /** The run in progress. */
  readonly current: ReconcileRun | null;
  /** The last finished run. */
  readonly last: ReconcileRun | null;
  /** The findings of the run in progress, else of the last run; at most a thousand. */
  readonly findings: readonly RunFinding[];
}

/**
 * The nightly job: compares all stores of all accounts. There is one object. Its position is stored after every step, and its alarm
 * continues from there after any failure. It holds one page of accounts at most.
 */
export class Reconciler extends DurableObject<Env> {
  readonly #store: RunStore;
  /** The orphans that steps in progress may still delete. If this object dies, they are counted when the steps answer. */
  #promisedOrphans = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#store = new RunStore(state.storage.sql);
  }

  /** Begins a run. A run in progress continues unchanged. */
  async start(repair: boolean): Promise<Reconciliation> {
    if (this.#store.current === undefined) {
      this.ctx.storage.transactionSync(() => this.#store.begin(Date.now(), repair));
    }
    await this.ctx.storage.setAlarm(Date.now());
    return this.read();
  }

  async read(): Promise<Reconciliation> {
    const [current, last] = [this.#store.current, this.#store.last];
    const shown = current ?? last;
    return {
      current: current ?? null,
      last: last ?? null,
      findings: shown === undefined ? [] : this.#store.findings(shown),
    };
  }

  override async alarm(): Promise<void> {
    const endsAt = Date.now() + WORK_MS;
    let pauseMs = 0;
    try {
      for (let run = this.#store.current; run !== undefined && Date.now() < endsAt; run = this.#store.current) {
        await this.#goOn(run);
      }
    } catch (error) {
      console.error(toLogLine("reconciliation.delayed", {}, error));
      pauseMs = PAUSE_AFTER_FAILURE_MS;
    }
    if (this.#store.current !== undefined) await this.ctx.storage.setAlarm(Date.now() + pauseMs);
  }

  /** Carries out one step, and stores the position. */
  async #goOn(run: ReconcileRun): Promise<void> {
    const due = this.#store.listDue(ACCOUNTS_AT_ONCE);
    if (due.length > 0) await Promise.all(due.map((account) => this.#compare(account, run.repair)));
    else if (run.after !== null) await this.#list(run.after);
    else await this.#tendSearch(run);
  }

  async #list(after: string): Promise<void> {
    const { accounts, foreign, next } = await listAccounts(this.#stores, after);
    this.ctx.storage.transactionSync(() => {
      this.#store.putDue(accounts);
      this.#store.addFindings(
        null,
        foreign.map((subject) => ({ kind: "foreign-object", subject, repaired: false })),
      );
      this.#change({ after: next });
    });
  }

  async #compare(account: DueAccount, repair: boolean): Promise<void> {
    const { id, from, places, attempts } = account;
    const deleted = this.#store.current?.repaired["orphan-object"] ?? 0;
    const maxOrphans = Math.max(0, Math.min(ORPHANS_PER_STEP, MAX_ORPHANS - deleted - this.#promisedOrphans));
    this.#promisedOrphans += maxOrphans;
    try {
      const meter = retryStub(() => this.env.ACCOUNT_METER.getByName(id));
      const step = await meter.reconcile({
        from: from ?? undefined,
        repair,
        places,
        orphanAgeMs: ORPHAN_AGE_MS,
        maxOrphans,
        searchedEvery: SEARCHED_EVERY,
      });
      const isMissing = step.outcome === "unknown" && (await this.#isSomethingLeft(account));
      if (step.outcome === "compared" && !account.isMarked && from === null && repair) await this.#mark(id);
      this.ctx.storage.transactionSync(() => {
        const run = this.#store.current;
        if (run === undefined) return;
        if (step.outcome === "compared") {
          this.#store.addFindings(id, step.findings);
          const { uploads, objects, accounts } = this.#store.current ?? run;
          const isDone = step.next === null ? 1 : 0;
          this.#change({
            uploads: uploads + step.uploads,
            objects: objects + step.objects,
            accounts: accounts + isDone,
          });
          if (step.next !== null) return this.#store.advance(id, step.next);
        } else if (step.outcome === "busy") this.#change({ postponed: run.postponed + 1 });
        else if (isMissing)
          this.#store.addFindings(id, [{ kind: "unknown-account", detail: places.join(), repaired: false }]);
        this.#store.removeDue(id);
      });
    } catch (error) {
      console.error(toLogLine("account.not-compared", { accountId: id }, error));
      this.ctx.storage.transactionSync(() => {
        if (attempts + 1 < MAX_ATTEMPTS) return this.#store.fail(id);
        this.#store.addFindings(id, [{ kind: "failed", repaired: false }]);
        this.#store.removeDue(id);
      });
    } finally {
      this.#promisedOrphans -= maxOrphans;
    }
  }

  /** An account whose registration failed may not exist any more. */
  async #isSomethingLeft({ id, places }: DueAccount): Promise<boolean> {
    const { libraries, files } = this.#stores;
    for (const shard of places) {
      if ((await findLibraryState(libraries.open(shard), id)) !== undefined) return true;
    }
    return (await hasObjects(files, id)) || (await files.head(accountMarker(id))) !== null;
  }

  /**
   * Writes the marker of an account that is older than markers. If the account is erased at this moment, the second pass of its erasure
   * deletes the marker.
   */
  async #mark(accountId: string): Promise<void> {
    if ((await this.env.ACCOUNT_METER.getByName(accountId).locate()) === undefined) return;
    await this.#stores.files.put(accountMarker(accountId), "");
  }

  /** The search index is not separated by accounts: each shard's index is compared, and then merged, as a whole. */
  async #tendSearch(run: ReconcileRun): Promise<void> {
    const { libraries } = this.#stores;
    const [first] = libraries.shards;
    const search = run.search ?? (first && { shard: first, after: FIRST_ENTRY, merges: 0 });
    if (search === undefined) return this.#finish();
    const library = libraries.open(search.shard);
    if (search.after !== null) {
      const { strays, next } = await findStrayEntries(library, search.after);
      if (strays.length > 0 && run.repair) await removeStrayEntries(library, strays);
      const findings = strays.map((subject): Finding => ({ kind: "search-stray", subject, repaired: run.repair }));
      this.ctx.storage.transactionSync(() => {
        this.#store.addFindings(null, findings);
        this.#change({ search: { ...search, after: next ?? null } });
      });
      return;
    }
    const isMerged = !run.repair || search.merges >= MERGES_PER_RUN || !(await mergeSomeSearch(library));
    if (!isMerged) return this.#change({ search: { ...search, merges: search.merges + 1 } });
    const next = libraries.shards[libraries.shards.indexOf(search.shard) + 1];
    if (next === undefined) return this.#finish();
    this.#change({ search: { shard: next, after: FIRST_ENTRY, merges: 0 } });
  }

  #finish(): void {
    this.#change({ finishedAt: Date.now() });
    const { last } = this.#store;
    if (last === undefined) return;
    const { accounts, postponed, uploads, objects, found } = last;
    console.info(toLogLine("stores.compared", { accounts, postponed, uploads, objects, found: JSON.stringify(found) }));
  }

  #change(change: Partial<ReconcileRun>): void {
    const run = this.#store.current;
    if (run !== undefined) this.#store.write({ ...run, ...change });
  }

  get #stores() {
    const libraries: Libraries = openLibraries(this.env, retry);
    return { directory: openDirectory(this.env, retry), libraries, files: retryBucket(this.env.FILES) };
  }
}
