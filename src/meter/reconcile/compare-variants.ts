import { variantsPrefix, versionOf } from "../../domain/object-key.ts";
import type { VariantSizes } from "../../domain/variants/made-variants.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import { type Comparison, isDue } from "./comparison.ts";
import { done, toFinding } from "./difference.ts";
import type { Finding } from "./finding.ts";
import type { UploadPage } from "./read-upload-page.ts";

/**
 * Compares the record of an account's variants with R2. If only one of them has variants of a file, these are listed; of all other files, one
 * in `searchedEvery` each day. Variants of no file are another difference (`variants-left`).
 */
export async function compareVariants(comparison: Comparison, page: UploadPage): Promise<Finding[]> {
  const { stores, repair } = comparison;
  const findings: Finding[] = [];
  for (const version of suspects(comparison, page)) {
    const sizes = await findDifference(version, stores);
    if (sizes === undefined) continue;
    const recount = () => done(stores.variants.recount(version, sizes));
    findings.push(await toFinding({ kind: "variants-miscounted", subject: version, repair: recount }, repair));
  }
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

/** Reads both twice, because a variant may be made or deleted now. @returns the sizes in R2, if the record differs */
async function findDifference(version: string, stores: AccountStores): Promise<VariantSizes | undefined> {
  const read = async () => ({
    stored: await listSizes(version, stores),
    recorded: await stores.variants.sizesOf(version),
  });
  const first = await read();
  if (isSame(first.stored, first.recorded)) return undefined;
  const { stored, recorded } = await read();
  const isSteady = isSame(first.stored, stored) && isSame(first.recorded, recorded);
  return isSteady ? stored : undefined;
}

async function listSizes(version: string, { accountId, files }: AccountStores): Promise<VariantSizes> {
  const prefix = variantsPrefix(accountId, version);
  const { objects } = await files.list({ prefix });
  return Object.fromEntries(objects.map(({ key, size }) => [key.slice(prefix.length), size]));
}

function isSame(a: VariantSizes, b: VariantSizes): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
