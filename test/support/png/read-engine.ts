import { readFile } from "node:fs/promises";

/** Workers may not compile WebAssembly, so their types lack this function. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };

/** The PNG engine as `npm run build` made it. */
export async function readPngEngine(): Promise<WebAssembly.Module> {
  return await compile(await readFile("src/media/png/engine/png-engine.wasm"));
}
