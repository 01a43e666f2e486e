import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { PACKAGES } from "../../../src/tools/build/packages.ts";

/** Runs npm without the settings of the `npm` that runs the tests. @returns its output */
export async function npm(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("npm_")));
  const [command = "", ...rest] = args;
  const options = ["--ignore-scripts", "--no-audit", "--no-fund"];
  const environment = own as unknown as NodeJS.ProcessEnv;
  return (await promisify(execFile)("npm", [command, ...options, ...rest], { cwd, env: environment })).stdout;
}

/** Packs every built package as `npm publish` does. @returns the tarball of each name */
export async function packAll(folder: string): Promise<Record<string, string>> {
  const paths = Object.values(PACKAGES).map(({ out }) => resolve(out));
  const printed = await npm(["pack", "--json", "--offline", "--pack-destination", folder, ...paths], folder);
  const packed = JSON.parse(printed) as { name: string; filename: string }[];
  return Object.fromEntries(packed.map(({ name, filename }) => [name, join(folder, filename)]));
}
