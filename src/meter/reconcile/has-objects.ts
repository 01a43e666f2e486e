import { accountPrefixes } from "../../domain/object-key.ts";

/** Whether R2 has an object of the account, without its marker. */
export async function hasObjects(files: R2Bucket, accountId: string): Promise<boolean> {
  for (const prefix of accountPrefixes(accountId)) {
    if ((await files.list({ prefix, limit: 1 })).objects.length > 0) return true;
  }
  return false;
}
