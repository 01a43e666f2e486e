import { readFile } from "node:fs/promises";
import { recompressJpeg as recompress } from "../../../src/media/jpeg/recompress-jpeg.ts";

/** Workers have no such function, so their types lack it. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
const engine = await compile(await readFile("src/media/jpeg/engine/jpeg-engine.wasm"));

type Result =
  | { readonly outcome: "recompressed"; readonly bytes: Uint8Array }
  | { readonly outcome: "kept"; readonly reason: string };

/**
 * The recompressor with its engine, outside of workerd, with unlimited memory. @param onHold receives the bytes that it holds beside the
 * file
 */
export async function recompressJpeg(
  source: Uint8Array,
  quality: number,
  onHold?: (bytes: number) => void,
): Promise<Result> {
  const holdIfMore = (bytes: number) => {
    onHold?.(bytes);
    return undefined;
  };
  const tools = { engine, yieldIfDue: () => undefined, holdIfMore };
  const result = await recompress(tools, source as Uint8Array<ArrayBuffer>, quality);
  if (result.outcome === "kept") return result;
  return { outcome: "recompressed", bytes: Buffer.concat(result.pieces) };
}
