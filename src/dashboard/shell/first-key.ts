let key: string | undefined;

/** Keeps the upload key that a new account is shown once until the welcome page has shown it: in memory, nowhere else. */
export function keepFirstKey(uploadKey: string): void {
  key = uploadKey;
}

/** The new account's upload key; undefined where the page was loaded anew. */
export function readFirstKey(): string | undefined {
  return key;
}

export function forgetFirstKey(): void {
  key = undefined;
}
