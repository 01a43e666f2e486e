import { get } from "node:http";

const DEFAULT_SOCKET = "unix:///var/run/docker.sock";

/** Whether a Docker API answers at DOCKER_HOST, or where Docker listens by default. */
export async function hasDockerApi(): Promise<boolean> {
  const host = URL.parse(process.env.DOCKER_HOST || DEFAULT_SOCKET);
  if (host === null) return false;
  const target = host.protocol === "unix:" ? { socketPath: host.pathname } : { host: host.hostname, port: host.port };
  return new Promise((resolve) => {
    const request = get({ ...target, path: "/_ping", timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once("error", () => resolve(false));
    request.once("timeout", () => request.destroy(new Error("No answer")));
  });
}
