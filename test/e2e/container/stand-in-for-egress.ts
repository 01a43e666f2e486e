import type { Children } from "../../../src/tools/local/children.ts";

/** Where miniflare looks for the image of the sidecar that workerd starts beside each Container, if it is not Cloudflare's own. */
const IMAGE_VARIABLE = "MINIFLARE_CONTAINER_EGRESS_IMAGE";
const IMAGE = "docker.io/local/media-host-egress:1";

/** The image of the Container is built meanwhile. */
const MOST_SECONDS = 3600;

export interface EgressStandIn {
  /** For wrangler dev. */
  readonly env: Readonly<Record<string, string>>;
  /** The name of a container that is to be removed in the end. */
  readonly bridgeKeeper?: string;
}

/**
 * On a machine that cannot have Cloudflare's sidecar (`MINIFLARE_CONTAINER_EGRESS_IMAGE` names another image) builds ours, `egress/`,
 * which redirects the Container's traffic as that one does, and has it used. Starts a container that does nothing, too: workerd
 * listens on the bridge's address before its own first container runs, and podman has no bridge as long as none does.
 */
export async function standInForEgress(children: Children): Promise<EgressStandIn> {
  if (!process.env[IMAGE_VARIABLE]) return { env: {} };
  // As wrangler finds it.
  const docker = process.env.WRANGLER_DOCKER_BIN || "docker";
  await children.run(docker, ["build", "-t", IMAGE, "test/e2e/container/egress"]);
  const bridgeKeeper = `media-host-bridge-${process.pid}`;
  // It ends by itself, where nobody is left to remove it.
  const options = ["--detach", "--rm", "--name", bridgeKeeper, "--entrypoint", "sleep"];
  await children.run(docker, ["run", ...options, IMAGE, String(MOST_SECONDS)]);
  return { env: { [IMAGE_VARIABLE]: IMAGE }, bridgeKeeper };
}
