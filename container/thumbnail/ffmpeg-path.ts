import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

const PACKAGE = "@ffmpeg-installer/ffmpeg";

/** Where ffmpeg is: FFMPEG_PATH, else on PATH, else in the package that development machines have; undefined where there is none. */
export function findFfmpeg(env: NodeJS.ProcessEnv): string | undefined {
  if (env.FFMPEG_PATH) return env.FFMPEG_PATH;
  const name = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  const onPath = (env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return onPath.find(isExecutable) ?? packaged();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function packaged(): string | undefined {
  try {
    const { path } = createRequire(import.meta.url)(PACKAGE) as { path: string };
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
