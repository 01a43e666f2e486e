import { findSuspectCounts, isCountRight, recount, sumStoredBytes } from "../../db/library/compare/compare-counts.ts";
import { findStrayTags, removeStrayTag } from "../../db/library/compare/stray-tags.ts";
import { isShard, type Shard } from "../../domain/ids.ts";
import type { AccountTables } from "../account/account-tables.ts";
import { compareAccount } from "./compare-account.ts";
import { compareMoved } from "./compare-moved.ts";
import { compareOperations } from "./compare-operations.ts";
import { compareUploads } from "./compare-uploads.ts";
import type { Comparison } from "./comparison.ts";
import type { Finding, ReconcileStep } from "./finding.ts";
import { readUploadPage } from "./read-upload-page.ts";

/** Counts, or tag entries, that one step repairs. The next step continues. */
const REPAIRS_PER_STEP = 1000;

const BUSY: ReconcileStep = { outcome: "busy" };

/**
 * One bounded step of comparing an account's stores: first the account itself, then its uploads page by page, then the other tables, then
 * the figures. Steps are independent, so an interrupted step is repeated.
 * @param from the `next` of the previous step; undefined or unknown at the beginning
 */
export async function reconcileAccount(
  comparison: Comparison,
  from: string | undefined,
  places: readonly Shard[],
): Promise<ReconcileStep> {
  const { stores, tables } = comparison;
  if (tables.intents.listOf("register", "move", "erase").length > 0) return BUSY;
  const { stage, at, shard: movedShard, after } = parsePosition(from);
  switch (stage) {
    case "account": {
      const compared = await compareAccount(comparison, places);
      return compared === undefined ? BUSY : step(compared.findings, compared.done ? "uploads.0" : "account");
    }
    case "uploads": {
      const page = await readUploadPage(stores, tables, at);
      const findings = await compareUploads(comparison, page);
      const rows = page.uploads.filter(({ row }) => row !== undefined).length;
      const objects = page.uploads.reduce((sum, { files, thumbnails }) => sum + files.length + thumbnails.length, 0);
      // A library that never moved has left nothing in other shards.
      const next = page.next === null ? (places.length > 1 ? "moved" : "tags") : `uploads.${page.next}`;
      return { outcome: "compared", findings, next, uploads: rows, objects };
    }
    case "moved": {
      const shard = movedShard ?? places[0] ?? stores.shard;
      const page = await compareMoved(comparison, shard, after);
      if (page === undefined) return BUSY;
      const following = places[places.indexOf(shard) + 1];
      const next = page.next === null ? following && `moved.${following}.` : `moved.${shard}.${page.next}`;
      return step(page.findings, next ?? "tags");
    }
    case "tags": {
      const findings = await compareTags(comparison);
      return step(findings, goesOn(comparison, findings) ? "tags" : "counts");
    }
    case "counts": {
      const findings = await compareCounts(comparison);
      return step(findings, goesOn(comparison, findings) ? "counts" : "figures");
    }
    case "figures": {
      const operations = await compareOperations(comparison);
      if (operations === undefined) return BUSY;
      const figures = await compareFigures(comparison);
      if (figures !== undefined) return step([...operations, ...figures], null);
      return operations.length > 0 ? step(operations, "figures") : BUSY;
    }
  }
}

function step(findings: readonly Finding[], next: string | null): ReconcileStep {
  return { outcome: "compared", findings, next, uploads: 0, objects: 0 };
}

function goesOn({ repair }: Comparison, findings: readonly Finding[]): boolean {
  return repair && findings.length >= REPAIRS_PER_STEP;
}

interface Position {
  readonly stage: "account" | "uploads" | "moved" | "tags" | "counts" | "figures";
  /** The time to continue from, in the stage `uploads`. */
  readonly at: number;
  /** The shard and the id to continue after, in the stage `moved`. */
  readonly shard: Shard | undefined;
  readonly after: string;
}

const POSITION =
  /^(?:(?<name>account|moved|tags|counts|figures)|uploads\.(?<at>\d{1,15})|moved\.(?<shard>[^.]{2})\.(?<after>[0-9a-z]{0,26}))$/;

function parsePosition(text = "account"): Position {
  const { name = "account", at, shard, after = "" } = POSITION.exec(text)?.groups ?? {};
  const stage = at !== undefined ? "uploads" : shard !== undefined ? "moved" : (name as Position["stage"]);
  return { stage, at: Number(at ?? 0), shard: shard !== undefined && isShard(shard) ? shard : undefined, after };
}

async function compareTags({ stores, repair }: Comparison): Promise<Finding[]> {
  const { library, accountId } = stores;
  const findings: Finding[] = [];
  for await (const stray of findStrayTags(library, accountId)) {
    if (repair) await removeStrayTag(library, accountId, stray);
    findings.push({ kind: "tags-stray", subject: stray.entry.tag ?? "", detail: stray.table, repaired: repair });
    if (findings.length >= REPAIRS_PER_STEP) break;
  }
  return findings;
}

async function compareCounts({ stores, repair }: Comparison): Promise<Finding[]> {
  const { library, accountId } = stores;
  const suspects = await findSuspectCounts(library, accountId);
  if (suspects === undefined) return [{ kind: "counts-differ", detail: "too many to be compared", repaired: false }];
  const findings: Finding[] = [];
  for (const key of suspects) {
    if (findings.length >= REPAIRS_PER_STEP) break;
    if (await isCountRight(library, accountId, key)) continue;
    if (repair) await recount(library, accountId, key);
    const { folderId, facet, status, value } = key;
    findings.push({
      kind: "counts-differ",
      subject: `${facet} ${value}`,
      detail: `${status} in "${folderId}"`,
      repaired: repair,
    });
  }
  return findings;
}

/** One statement takes milliseconds. An account that changes in all these attempts is postponed to another night. */
const ATTEMPTS = 10;
const PAUSE_MS = 50;

/**
 * Compares the storage figure with the sum of rows and thumbnails. The figure does not contain an unsettled upload, even if it has a row;
 * it contains an upload that is being deleted. If anything changes during the sum, the rows are added up again.
 * @returns undefined if the account changed in every attempt
 */
async function compareFigures({ stores, tables, repair }: Comparison): Promise<Finding[] | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = snapshot(tables);
    const underWay = tables.intents.listOf("upload", "delete").map(({ intent }) => intent);
    const ids = underWay.flatMap((intent) => ("uploadId" in intent ? [intent.uploadId] : []));
    const rowBytes = await sumStoredBytes(stores.library, stores.accountId, ids);
    if (snapshot(tables) !== before) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
      continue;
    }
    const deletingBytes = underWay.reduce((sum, intent) => sum + (intent.kind === "delete" ? intent.sizeBytes : 0), 0);
    const expected = rowBytes + deletingBytes + tables.thumbnails.totalBytes();
    const found = tables.ledger.storageBytes;
    if (expected === found) return [];
    if (repair) tables.ledger.addStorage(expected - found);
    return [{ kind: "storage-figure", detail: `${found}, not ${expected}`, repaired: repair }];
  }
  return undefined;
}

function snapshot({ intents, ledger }: AccountTables): string {
  const open = intents.listOf("upload", "delete", "move", "erase").map(({ id }) => id);
  return JSON.stringify([ledger.storageChanges, ledger.storageBytes, ledger.shard, open]);
}
