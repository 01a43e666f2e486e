let key: string | undefined;

/** Keeps a new account's upload key for the welcome page, in memory only: the service shows a key only once. */
export function keepFirstKey(uploadKey: string): void {
  key = uploadKey;
}

/** The new account's upload key; undefined after a reload. */
export function readFirstKey(): string | undefined {
  return key;
}

export function forgetFirstKey(): void {
  key = undefined;
}
