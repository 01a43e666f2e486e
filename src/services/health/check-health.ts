import { ping } from "../../db/directory/ping.ts";
import type { Services } from "../context.ts";

/** @throws Error if the directory does not answer */
export async function checkHealth({ directory }: Services): Promise<void> {
  await ping(directory);
}
