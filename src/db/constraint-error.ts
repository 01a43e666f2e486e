export type Constraint = "foreign-key" | "unique" | "not-null" | "check" | "other";

/** The schema rejected a write, and nothing of it was written. `constraint` comes from D1's message. */
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

/** The failed constraint in a D1 error; undefined for every other error. D1 names it only in the message. */
export function toConstraintError(error: unknown): ConstraintError | undefined {
  const failed = /([A-Z]+(?: [A-Z]+)?) constraint failed/.exec(String(error));
  return failed === null ? undefined : new ConstraintError(NAMES[failed[1] ?? ""] ?? "other", error);
}
