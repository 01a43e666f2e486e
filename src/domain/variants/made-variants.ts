/** The number of an account's stored variants, and their bytes. They do not count as storage (VAR-6). */
export interface MadeVariants {
  readonly count: number;
  readonly bytes: number;
}

/** The bytes of a file's variants, by their names below `variantsPrefix`. */
export type VariantSizes = Readonly<Record<string, number>>;

/** The variants of a file (`versionOf` its key), as an account's record has them. */
export interface RecordedVariants extends MadeVariants {
  readonly version: string;
}

/** The record of one account's stored variants. Every change of it may be repeated. */
export interface VariantRecord {
  read(): Promise<MadeVariants>;
  /** @param from the first version; @param before the end, which is left out; null: none */
  list(from: string, before: string | null): Promise<RecordedVariants[]>;
  /** The sizes of a file's variants. */
  sizesOf(version: string): Promise<VariantSizes>;
  /** These variants of a file are about to be deleted. */
  forget(version: string, names: readonly string[]): Promise<void>;
  /** A file has these variants and no others. @param recorded what the record had; @returns false if it has changed since */
  recount(version: string, recorded: VariantSizes, sizes: VariantSizes): Promise<boolean>;
  /** The account is erased. */
  erase(): Promise<void>;
}

/** Whether a file has the same variants, with the same bytes. */
export function areSameSizes(a: VariantSizes, b: VariantSizes): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
