import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The program's version. The build puts the program's files next to its package.json. */
export function version(): string {
  const path = join(dirname(fileURLToPath(import.meta.url)), "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
