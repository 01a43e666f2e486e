export type Constraint = "foreign-key" | "unique" | "not-null" | "check" | "other";

/** A write that the schema does not allow; nothing of it was written. Its `constraint` is what D1's message names. */
export class ConstraintError extends Error {
  readonly constraint: Constraint;

  constructor(constraint: Constraint, cause: unknown) {
    super(`A ${constraint} constraint failed`, { cause });
    this.name = "ConstraintError";
    this.constraint = constraint;
  }
}

const NAMES: Readonly<Record<string, Constraint>> = {
  "FOREIGN KEY": "foreign-key",
  UNIQUE: "unique",
  "NOT NULL": "not-null",
  CHECK: "check",
};

/** The constraint that D1 says has failed; undefined for every other error. D1 tells it in words alone. */
export function toConstraintError(error: unknown): ConstraintError | undefined {
  const failed = /([A-Z]+(?: [A-Z]+)?) constraint failed/.exec(String(error));
  return failed === null ? undefined : new ConstraintError(NAMES[failed[1] ?? ""] ?? "other", error);
}
