import { execFile } from "node:child_process";
import { DeployError } from "./deploy-error.ts";

const TIMEOUT_MS = 15_000;

/** @throws DeployError if this machine cannot build the Container's image */
export async function checkDocker(): Promise<void> {
  const error = await new Promise<Error | null>((resolve) => {
    // The program is found in the same way as by wrangler.
    execFile(process.env.WRANGLER_DOCKER_BIN ?? "docker", ["info"], { timeout: TIMEOUT_MS }, resolve);
  });
  if (error === null) return;
  throw new DeployError(
    `The Container's image cannot be built: no Docker engine answers ("docker info" failed).
Start Docker, or deploy with --without-container: everything works but the thumbnails of videos, which
can be made later, when you deploy --with-container.`,
  );
}
