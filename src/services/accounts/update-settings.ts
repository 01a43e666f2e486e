import { type AccountSettings, metadataModeOf } from "../../domain/account-settings.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { MetadataMode } from "../../domain/metadata-mode.ts";
import type { AccountContext } from "../context.ts";

interface SettingsChange {
  readonly autoCompress?: boolean | undefined;
  readonly compressionQuality?: number | undefined;
  /** Null restores the default. */
  readonly metadata?: MetadataMode | null | undefined;
}

/**
 * Changes the given settings, for later uploads only (COMP-2).
 * @returns all settings after the change
 * @throws ServiceError 404 if the account was erased
 */
export async function updateSettings(
  { meter, settings }: AccountContext,
  { autoCompress, compressionQuality, metadata }: SettingsChange,
): Promise<AccountSettings> {
  if (autoCompress === undefined && compressionQuality === undefined && metadata === undefined) return settings;
  const changed = await meter.setSettings({
    ...(autoCompress === undefined ? {} : { autoCompress }),
    ...(compressionQuality === undefined ? {} : { compressionQuality }),
    ...(metadata === undefined ? {} : { metadata: metadata ?? undefined }),
  });
  if (changed === undefined) throw ERRORS.AccountNotFound();
  return changed;
}

/** The settings with the mode in force. */
export function showSettings(settings: AccountSettings): AccountSettings & { readonly metadata: MetadataMode } {
  return { ...settings, metadata: metadataModeOf(settings) };
}
