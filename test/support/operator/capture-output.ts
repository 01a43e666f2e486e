import { vi } from "vitest";

/** Writes the log of the Worker and its objects to a list, until mocks are restored. */
export function captureOutput(): string[] {
  const output: string[] = [];
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...values: unknown[]) => {
      output.push(values.map((value) => (value instanceof Error ? value.stack : String(value))).join(" "));
    });
  }
  return output;
}
