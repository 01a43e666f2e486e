/** What a run ends with, as scripts see it. */
export const EXIT = { done: 0, failed: 1, usage: 2, credentials: 3 } as const;

/** The command line says something that cannot be done: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** There is no credential, or it is not good for this: exit code 3. */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
}

/** Some of what was asked for was not done, and has been named: exit code 1. */
export class SomeFailed extends Error {
  override readonly name = "SomeFailed";
}

/** A signal ended the run: exit code 128 and its number, as shells have it. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("interrupted");
    this.exitCode = exitCode;
  }
}
