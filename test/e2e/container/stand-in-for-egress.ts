import type { Children } from "../../../src/tools/local/children.ts";

/** miniflare takes the image of a Container's sidecar from this variable, if it is set. */
const IMAGE_VARIABLE = "MINIFLARE_CONTAINER_EGRESS_IMAGE";
const IMAGE = "docker.io/local/media-host-egress:1";

/** This includes the build of the Container's image. */
const MOST_SECONDS = 3600;

export interface EgressStandIn {
  /** For wrangler dev. */
  readonly env: Readonly<Record<string, string>>;
  /** The name of a container to remove at the end. */
  readonly bridgeKeeper?: string;
}

/**
 * Cloudflare's sidecar does not run on every machine (`MINIFLARE_CONTAINER_EGRESS_IMAGE` names another image). Builds ours, `egress/`,
 * which redirects the Container's traffic in the same way. Also starts an idle container: workerd listens on the bridge's address before
 * its first container runs, and podman has a bridge only while a container runs.
 */
export async function standInForEgress(children: Children): Promise<EgressStandIn> {
  if (!process.env[IMAGE_VARIABLE]) return { env: {} };
  // This is how wrangler finds the program, too.
  const docker = process.env.WRANGLER_DOCKER_BIN || "docker";
  await children.run(docker, ["build", "-t", IMAGE, "test/e2e/container/egress"]);
  const bridgeKeeper = `media-host-bridge-${process.pid}`;
  // The container ends automatically if this process can no longer remove it.
  const options = ["--detach", "--rm", "--name", bridgeKeeper, "--entrypoint", "sleep"];
  await children.run(docker, ["run", ...options, IMAGE, String(MOST_SECONDS)]);
  return { env: { [IMAGE_VARIABLE]: IMAGE }, bridgeKeeper };
}
