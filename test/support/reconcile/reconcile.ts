import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Shard } from "../../../src/domain/ids.ts";
import type { Finding } from "../../../src/meter/reconcile/finding.ts";
import { RunStore } from "../../../src/meter/reconcile/run-store.ts";
import { meterOf } from "../api/account-state.ts";
import { bearer, call, callJson } from "../api/api.ts";
import { libraries } from "../api/databases.ts";

export interface Outcome {
  readonly findings: Finding[];
  readonly uploads: number;
  readonly objects: number;
}

/** Compares all stores of one account, step by step, as the nightly job does. */
export async function reconcile(
  accountId: string,
  repair: boolean,
  orphanAgeMs = 0,
  maxOrphans = 1000,
): Promise<Outcome> {
  const findings: Finding[] = [];
  let [uploads, objects] = [0, 0];
  for (let from: string | undefined, steps = 0; ; steps++) {
    const places: Shard[] = [];
    for (const shard of libraries.shards) {
      const row = libraries.bindingOf(shard).prepare("SELECT 1 FROM libraries WHERE id = ?").bind(accountId);
      if ((await row.first()) !== null) places.push(shard);
    }
    const step = await meterOf(accountId).reconcile({
      from,
      repair,
      orphanAgeMs,
      maxOrphans,
      searchedEvery: 1,
      places,
    });
    if (step.outcome !== "compared") throw new Error(`The account is ${step.outcome}`);
    findings.push(...step.findings);
    uploads += step.uploads;
    objects += step.objects;
    if (step.next === null) return { findings, uploads, objects };
    if (steps > 1000) throw new Error(`The comparison does not end: ${step.next}`);
    from = step.next;
  }
}

/** Moves an account's library to the other shard, and waits until its old rows are gone. @returns the shard that it has left */
export async function moveAway(accountId: string): Promise<Shard> {
  const meter = meterOf(accountId);
  const from = (await meter.locate()) ?? "00";
  for (let outcome = ""; outcome !== "moved"; ) {
    ({ outcome } = await meter.moveLibrary(from === "00" ? "01" : "00"));
    // Uploads in progress get their turn.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (let isMoving = true; isMoving; ) {
    isMoving = await runInDurableObject(meter, (_meter, { storage }) => {
      storage.sql.exec("UPDATE intents SET due_at = 1 WHERE kind = 'move'");
      return storage.sql.exec("SELECT 1 FROM intents WHERE kind = 'move'").toArray().length > 0;
    });
    if (isMoving) await runDurableObjectAlarm(meter);
  }
  return from;
}

/** The kinds of differences, each once, in order. */
export async function kindsOf(accountId: string, repair = false): Promise<string[]> {
  const { findings } = await reconcile(accountId, repair);
  return [...new Set(findings.map(({ kind }) => kind))].sort();
}

export async function objectKeys(accountId: string): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: `uploads/${accountId}/` });
  return objects.map(({ key }) => key);
}

export interface Reconciliation {
  readonly current: { readonly startedAt: string } | null;
  readonly last: {
    readonly found: Record<string, number>;
    readonly repaired: Record<string, number>;
    readonly accounts: number;
  } | null;
  readonly findings: (Finding & { accountId: string | null })[];
}

/** Ends a run that compares the accounts of all tests of this process, which may take a minute. */
export async function endReconciliation(): Promise<void> {
  await runInDurableObject(env.RECONCILER.getByName("reconciler"), (_reconciler, { storage }) => {
    const runs = new RunStore(storage.sql);
    if (runs.current !== undefined) runs.write({ ...runs.current, finishedAt: Date.now() });
  });
}

/** Compares all accounts, like the operator's command, and waits for the end. */
export async function reconcileAll(repair: boolean): Promise<Reconciliation> {
  await callJson("POST", "/admin/reconcile", env.ADMIN_TOKEN, { repair });
  const reconciler = env.RECONCILER.getByName("reconciler");
  for (;;) {
    await runDurableObjectAlarm(reconciler);
    const state = await reconciler.read();
    if (state.current === null) break;
  }
  return (await call("/admin/reconcile", { headers: bearer(env.ADMIN_TOKEN) })).json<Reconciliation>();
}
