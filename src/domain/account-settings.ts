import type { MetadataMode } from "./metadata-mode.ts";

/** How an account's later uploads are stored (SET-1, COMP-1, META-1). */
export interface AccountSettings {
  readonly autoCompress: boolean;
  /** 50 to 100. */
  readonly compressionQuality: number;
  /** Undefined if the owner has chosen no mode. `metadataModeOf` has the default. */
  readonly metadata?: MetadataMode | undefined;
}

/** Lossy compression cannot be undone, so it is off until the owner turns it on. */
export const DEFAULT_SETTINGS: AccountSettings = { autoCompress: false, compressionQuality: 65 };

/** The metadata that stored files keep (META-1). If an account compresses, the default keeps no private metadata. */
export function metadataModeOf({ metadata, autoCompress }: AccountSettings): MetadataMode {
  return metadata ?? (autoCompress ? "private" : "keep");
}
