/** How an account's future uploads are compressed (specification, Account settings). */
export interface AccountSettings {
  readonly autoCompress: boolean;
  /** From 50 to 100. */
  readonly compressionQuality: number;
}

/** A new account's: what lossy compression takes away cannot be given back, so its owner turns it on. */
export const DEFAULT_SETTINGS: AccountSettings = { autoCompress: false, compressionQuality: 65 };
