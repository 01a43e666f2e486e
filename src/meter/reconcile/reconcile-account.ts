import { findSuspectCounts, isCountRight, recount } from "../../db/library/compare/compare-counts.ts";
import { findStrayTags, removeStrayTag } from "../../db/library/compare/stray-tags.ts";
import { isShard, type Shard } from "../../domain/shard.ts";
import { compareAccount } from "./compare-account.ts";
import { compareFigures } from "./compare-figures.ts";
import { compareMoved } from "./compare-moved.ts";
import { compareOperations } from "./compare-operations.ts";
import { compareUploads } from "./compare-uploads.ts";
import type { Comparison } from "./comparison.ts";
import type { Finding, ReconcileStep } from "./finding.ts";
import { readUploadPage } from "./read-upload-page.ts";

/** Counts, or entries of tags, that one step repairs; the next step goes on. */
const REPAIRS_PER_STEP = 1000;

const BUSY: ReconcileStep = { outcome: "busy" };

/**
 * One bounded step of comparing an account's stores: first the account itself, then its uploads page by page, then the tables beside
 * them, then the figures. Each step stands for itself: a step that was cut short is made again.
 * @param from what the step before answered as `next`; undefined at the beginning, as is what is none of these
 */
export async function reconcileAccount(
  comparison: Comparison,
  from: string | undefined,
  places: readonly Shard[],
): Promise<ReconcileStep> {
  const { stores, books } = comparison;
  if (books.intents.listOf("register", "move", "erase").length > 0) return BUSY;
  const { stage, at, shard: movedShard, after } = parsePosition(from);
  switch (stage) {
    case "account": {
      const compared = await compareAccount(comparison, places);
      return compared === undefined ? BUSY : step(compared.findings, compared.done ? "uploads.0" : "account");
    }
    case "uploads": {
      const page = await readUploadPage(stores, books, at);
      const findings = await compareUploads(comparison, page);
      const rows = page.uploads.filter(({ row }) => row !== undefined).length;
      const objects = page.uploads.reduce((sum, { files, thumbnail }) => sum + files.length + (thumbnail ? 1 : 0), 0);
      // A library that was never elsewhere has left nothing behind there.
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
  /** Of uploads: the moment to go on from. */
  readonly at: number;
  /** Of what shards keep of uploads elsewhere: which shard, and the id to go on behind. */
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
