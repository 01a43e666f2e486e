import { vi } from "vitest";

/** Has what the Worker and its objects write to the log written to a list, until mocks are restored. */
export function captureOutput(): string[] {
  const output: string[] = [];
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...values: unknown[]) => {
      output.push(values.map((value) => (value instanceof Error ? value.stack : String(value))).join(" "));
    });
  }
  return output;
}
