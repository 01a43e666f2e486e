import { DurableObject } from "cloudflare:workers";
import { openDirectory } from "../db/directory/directory.ts";
import {
  FIRST_ENTRY,
  findStrayEntries,
  mergeSomeSearch,
  removeStrayEntries,
} from "../db/library/compare/tend-search.ts";
import { type Libraries, openLibraries } from "../db/library/libraries.ts";
import { findLibraryState } from "../db/library/library-state.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { toLogLine } from "../domain/log-line.ts";
import { accountMarker, accountPrefix } from "../domain/object-key.ts";
import { retry } from "../isolate/retry.ts";
import { retryBucket } from "../isolate/retry-bucket.ts";
import type { Finding } from "./reconcile/finding.ts";
import { listAccounts } from "./reconcile/list-accounts.ts";
import { type DueAccount, type Run, type RunFinding, RunStore } from "./reconcile/run-store.ts";
import { retryAccountMeter } from "./retry-stub.ts";

/** One alarm works for so long; the next one follows at once. An alarm may take 15 minutes (Durable Objects, "Limits"). */
const WORK_MS = 20_000;
/** Accounts that are compared at once: each waits for its stores most of the time. */
const ACCOUNTS_AT_ONCE = 8;
const ORPHANS_PER_STEP = 1000;
const MAX_ATTEMPTS = 3;
const PAUSE_AFTER_FAILURE_MS = MINUTE_MS;
/** A file of no upload is deleted when it is as old as this: no upload takes as long. */
export const ORPHAN_AGE_MS = DAY_MS;
/** So many of them in one run: were they taken for orphans by mistake, a night would not delete them all. The next run goes on. */
export const MAX_ORPHANS = 10_000;
/** Each upload's entry in the index of names is compared with its names once in four weeks. */
const SEARCHED_EVERY = 28;
/** Steps of merging one index in one night; an index that would take more is merged on the next. */
const MERGES_PER_RUN = 50;

export interface Reconciliation {
  /** The run under way. */
  readonly current: Run | null;
  /** The last one that came to its end. */
  readonly last: Run | null;
  /** Of the run under way, else of the last one; at most a thousand. */
  readonly findings: readonly RunFinding[];
}

/**
 * Compares everything that there is with everything else: the nightly job. There is one object. Its place is stored after every step, and its
 * alarm goes on from there, whatever ended it before. It holds a page of accounts at most.
 */
export class Reconciler extends DurableObject<Env> {
  readonly #store: RunStore;
  /** Deletions of orphans that steps under way may make. What is forgotten of them with this object is counted when they answer. */
  #promisedOrphans = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#store = new RunStore(state.storage.sql);
  }

  /** Begins a run, unless one is under way: that one goes on as it was begun. */
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

  /** One step, after which the place is stored. */
  async #goOn(run: Run): Promise<void> {
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
      const meter = retryAccountMeter(() => this.env.ACCOUNT_METER.getByName(id));
      const step = await meter.reconcile({
        ...{ from: from ?? undefined, repair, places, orphanAgeMs: ORPHAN_AGE_MS, maxOrphans },
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

  /** An account that was being opened, and was not, is gone by now. */
  async #isSomethingLeft({ id, places }: DueAccount): Promise<boolean> {
    const { libraries, files } = this.#stores;
    for (const shard of places) {
      if ((await findLibraryState(libraries.open(shard), id)) !== undefined) return true;
    }
    const { objects } = await files.list({ prefix: accountPrefix(id), limit: 1 });
    return objects.length > 0 || (await files.head(accountMarker(id))) !== null;
  }

  /** Accounts that are older than the markers get theirs. One that is erased in this moment loses it to its second pass. */
  async #mark(accountId: string): Promise<void> {
    if ((await this.env.ACCOUNT_METER.getByName(accountId).locate()) === undefined) return;
    await this.#stores.files.put(accountMarker(accountId), "");
  }

  /** The index of names knows no accounts: a shard's is looked through, and then merged, as a whole. */
  async #tendSearch(run: Run): Promise<void> {
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

  #change(change: Partial<Run>): void {
    const run = this.#store.current;
    if (run !== undefined) this.#store.write({ ...run, ...change });
  }

  get #stores() {
    const libraries: Libraries = openLibraries(this.env, retry);
    return { directory: openDirectory(this.env, retry), libraries, files: retryBucket(this.env.FILES) };
  }
}
