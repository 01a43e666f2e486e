/** The operations of LIM-4. Weights are tenths of an operation, so that a view's 0.1 is exact. */

export const OPERATIONS = {
  upload: { class: "A", weightTenths: 10 },
  delete: { class: "A", weightTenths: 10 },
  view: { class: "B", weightTenths: 1 },
} as const;

export type OperationType = keyof typeof OPERATIONS;
export type OperationClass = (typeof OPERATIONS)[OperationType]["class"];

export const OPERATION_TYPES = ["upload", "delete", "view"] as const satisfies readonly OperationType[];
export const OPERATION_CLASSES = ["A", "B"] as const satisfies readonly OperationClass[];

export const CLASS_A_TENTHS = 10;

/** Operations as the API shows them: at most one decimal. */
export function toOperations(tenths: number): number {
  return tenths / 10;
}
