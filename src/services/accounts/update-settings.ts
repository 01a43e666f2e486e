import type { AccountSettings } from "../../domain/account-settings.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";

/**
 * Changes the settings that are given; they hold for future uploads only (specification, Account settings).
 * @returns all settings from then on
 * @throws ServiceError 404 where the account was erased meanwhile
 */
export async function updateSettings(
  { meter, settings }: AccountContext,
  { autoCompress, compressionQuality }: { autoCompress?: boolean | undefined; compressionQuality?: number | undefined },
): Promise<AccountSettings> {
  if (autoCompress === undefined && compressionQuality === undefined) return settings;
  const changed = await meter.setSettings({
    ...(autoCompress === undefined ? {} : { autoCompress }),
    ...(compressionQuality === undefined ? {} : { compressionQuality }),
  });
  if (changed === undefined) throw ERRORS.AccountNotFound();
  return changed;
}
