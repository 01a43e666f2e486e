import { readFile } from "node:fs/promises";

/** Workers have no such function, so their types lack it. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };

/** A WebAssembly module of a package, or one that `npm run build` made. */
export async function readModule(path: string): Promise<WebAssembly.Module> {
  return await compile(await readFile(path));
}
