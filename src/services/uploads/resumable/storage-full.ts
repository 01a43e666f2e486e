import type { ServiceError } from "../../../domain/errors.ts";
import type { AccountFigures } from "../../../meter/figures.ts";
import type { AccountContext } from "../../context.ts";
import { storageLimit } from "../store/reserve-storage.ts";

/** The specification's 413, and how much of the storage unfinished uploads have set aside. */
export function storageFull(
  account: AccountContext,
  { figures, reservedBytes }: { readonly figures: AccountFigures; readonly reservedBytes: number },
): ServiceError {
  account.figures = figures;
  return storageLimit(account).withDetails({ reservedBytes });
}
