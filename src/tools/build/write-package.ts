import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const OWN = "package.json";
const LICENSE = "LICENSE";

/** The files that every package contains, besides its own. */
export const PACKAGE_SOURCES = [OWN, LICENSE, import.meta.filename];

/**
 * Writes the files that npm publishes with the code. `package.json` is written last.
 * @param facts its fields; version, license and, if the project's own package has one, the repository come from there
 */
export async function writePackage(folder: string, readme: string, facts: object): Promise<void> {
  const { version, license, repository } = JSON.parse(await readFile(OWN, "utf8")) as Record<string, unknown>;
  await copyFile(readme, join(folder, "README.md"));
  await copyFile(LICENSE, join(folder, LICENSE));
  await writeFile(join(folder, OWN), `${JSON.stringify({ ...facts, version, license, repository }, null, 2)}\n`);
}
