import { variantsPrefix, versionOf } from "../../domain/object-key.ts";
import { areSameSizes, type VariantSizes } from "../../domain/variants/made-variants.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import { type Comparison, isDue } from "./comparison.ts";
import { toFinding } from "./difference.ts";
import type { Finding } from "./finding.ts";
import type { UploadPage } from "./read-upload-page.ts";

/** Parallel calls: a Worker has six connections. */
const CALLS_AT_ONCE = 6;

/** The variants of a file in R2 and in the record. */
interface Sizes {
  readonly stored: VariantSizes;
  readonly recorded: VariantSizes;
}

/**
 * Compares the record of an account's variants with R2. If only one of them has variants of a file, these are listed; of all other files, one
 * in `searchedEvery` each day. Variants of no file are another difference (`variants-left`).
 */
export async function compareVariants(comparison: Comparison, page: UploadPage): Promise<Finding[]> {
  const { stores, repair } = comparison;
  const findings: Finding[] = [];
  const suspected = suspects(comparison, page).values();
  const work = async () => {
    for (const version of suspected) {
      const found = await findDifference(version, stores);
      if (found === undefined) continue;
      const recount = () => stores.variants.recount(version, found.recorded, found.stored);
      findings.push(await toFinding({ kind: "variants-miscounted", subject: version, repair: recount }, repair));
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  return findings;
}

function suspects(comparison: Comparison, { uploads, recorded }: UploadPage): string[] {
  const known = new Set(recorded.map(({ version }) => version));
  const listed = new Set<string>();
  const suspected: string[] = [];
  for (const { uploadId, variants, row } of uploads) {
    for (const version of variants) {
      listed.add(version);
      const isPresent = row !== undefined && versionOf(row.objectKey) === version;
      if (isPresent && (!known.has(version) || isDue(uploadId, comparison))) suspected.push(version);
    }
  }
  return [...suspected, ...[...known].filter((version) => !listed.has(version))];
}

/** Reads both twice, because a variant may be made or deleted now. @returns the sizes of both, if the record differs */
async function findDifference(version: string, stores: AccountStores): Promise<Sizes | undefined> {
  const read = async (): Promise<Sizes> => ({
    stored: await listSizes(version, stores),
    recorded: await stores.variants.sizesOf(version),
  });
  const first = await read();
  if (areSameSizes(first.stored, first.recorded)) return undefined;
  const now = await read();
  const isSteady = areSameSizes(first.stored, now.stored) && areSameSizes(first.recorded, now.recorded);
  return isSteady ? now : undefined;
}

async function listSizes(version: string, { accountId, files }: AccountStores): Promise<VariantSizes> {
  const prefix = variantsPrefix(accountId, version);
  const { objects } = await files.list({ prefix });
  return Object.fromEntries(objects.map(({ key, size }) => [key.slice(prefix.length), size]));
}
