/** A position in the log, between two operations. */
export interface LogPosition {
  readonly at: number;
  readonly id: string;
}
