import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Makes a photo with enough detail for its size to depend on the quality. @param size "4000x3000" is 12 megapixels */
export async function makePhoto(path: string, size = "1280x960"): Promise<void> {
  const noise = `testsrc2=size=${size}:rate=1:duration=1,noise=alls=24:allf=t`;
  const args = ["-v", "error", "-y", "-f", "lavfi", "-i", noise, "-frames:v", "1", "-q:v", "2", path];
  await promisify(execFile)("ffmpeg", args);
}
