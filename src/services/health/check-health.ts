import { ping } from "../../db/directory/ping.ts";
import type { Services } from "../context.ts";

/** Asks the catalogue for a sign of life; throws what it throws. */
export async function checkHealth({ directory }: Services): Promise<void> {
  await ping(directory);
}
