import type { Library } from "../../db/library/library.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { BegunItem } from "../../meter/imports/import.ts";
import type { AccountContext, Services } from "../context.ts";

const NO_CLIENT = { address: "", device: "", rate: undefined };
const NO_RATE = { limit: 0, remaining: 0, resetAt: 0 };

/** The services for an item of an import, with the rights of the caller that created the import. */
export function openImporter(services: Services, { importer, account, ...item }: BegunItem): AccountContext {
  const { accountId } = importer;
  const meter = services.meterOf(accountId);
  const { importId, number, uploadId } = item;
  let library: Library | undefined;
  return {
    ...services,
    ...account,
    accountId,
    meter,
    client: NO_CLIENT,
    principal: importer,
    get library() {
      library ??= services.libraries.open(account.shard, async () => {
        const shard = await meter.locate();
        if (shard === undefined) throw ERRORS.InvalidKey();
        return shard;
      });
      return library;
    },
    rate: NO_RATE,
    provedAt: 0,
    wantsChanges: false,
    operations: 0,
    importItem: { importId, number, uploadId },
  };
}
