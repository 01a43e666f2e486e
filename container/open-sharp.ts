import type sharpModule from "sharp";

/** The exit code of a shell for a missing program. A libvips that cannot be loaded is not the image's fault. */
const CANNOT_START = 127;
/** The only loaders that libvips may use, of some forty that it has. */
const LOADERS: Record<string, string> = {
  "image/jpeg": "VipsForeignLoadJpegBuffer",
  "image/png": "VipsForeignLoadPngBuffer",
  "image/gif": "VipsForeignLoadNsgifBuffer",
  "image/webp": "VipsForeignLoadWebpBuffer",
};

/** Loads sharp in a job's process, with only the loaders of these types. Ends the process if it cannot be loaded. */
export async function openSharp(types: readonly string[]): Promise<typeof sharpModule> {
  const sharp = await import("sharp").then(
    (module) => module.default,
    (error) => {
      console.error(String(error));
      process.exit(CANNOT_START);
    },
  );
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: types.map((type) => LOADERS[type] ?? "") });
  return sharp;
}

/** libvips reports every step that failed. The first line is enough. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.slice(0, 200) ?? "";
}
