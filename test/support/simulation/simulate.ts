import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface Simulated {
  /** 0 if there is no violation. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs `npm run test:simulation` with these options, in a process of its own, because it replaces clocks and random numbers. */
export async function simulate(...options: readonly string[]): Promise<Simulated> {
  const child = spawn(process.execPath, ["test/support/simulation/main.ts", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { output: await text(child.stdout), code: await ended };
}
