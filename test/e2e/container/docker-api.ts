import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

const DEFAULT_SOCKET = "unix:///var/run/docker.sock";
const TIMEOUT_MS = 20_000;
/** workerd's names for the Containers of the API Worker. */
const NAME = /^\/workerd-media-host-api-/;
/** The sidecar of a Container, whose network the Container uses. */
const SIDECAR = /-proxy$/;

/** @returns whether a Docker API answers at DOCKER_HOST, or at Docker's default address */
export async function hasDockerApi(): Promise<boolean> {
  return call("GET", "/_ping").then(
    () => true,
    () => false,
  );
}

/** The ids of the API Worker's Containers, running or not, in an order in which they can be removed. */
export async function listContainers(): Promise<string[]> {
  const containers = JSON.parse(await call("GET", "/containers/json?all=1")) as { Id: string; Names: string[] }[];
  const ours = containers.filter(({ Names }) => Names.some((name) => NAME.test(name)));
  const isSidecar = ({ Names }: { Names: string[] }) => Names.some((name) => SIDECAR.test(name));
  return ours.sort((a, b) => Number(isSidecar(a)) - Number(isSidecar(b))).map(({ Id }) => Id);
}

export interface ContainerState {
  /** The user of its processes. */
  readonly user: string;
  readonly isRunning: boolean;
}

/** The state of each of these Containers, without sidecars. A Container that has been removed does not run. */
export async function inspectContainers(ids: readonly string[]): Promise<ContainerState[]> {
  const containers = await Promise.all(ids.map((id) => call("GET", `/containers/${id}/json`, [404])));
  return containers
    .map((text) => JSON.parse(text) as { Name?: string; Config: { User: string }; State: { Running: boolean } })
    .filter(({ Name }) => Name !== undefined && !SIDECAR.test(Name))
    .map(({ Config, State }) => ({ user: Config.User, isRunning: State.Running }));
}

/** Removes a container and its content, running or not. It may be gone already. */
export async function removeContainer(id: string): Promise<void> {
  await call("POST", `/containers/${id}/kill`, [404, 409]);
  await call("DELETE", `/containers/${id}?force=1&v=1`, [404, 409]);
}

/** @throws Error if there is no answer, or neither success nor one of the expected statuses */
async function call(method: string, path: string, expected: readonly number[] = []): Promise<string> {
  const host = new URL(process.env.DOCKER_HOST || DEFAULT_SOCKET);
  const target = host.protocol === "unix:" ? { socketPath: host.pathname } : { host: host.hostname, port: host.port };
  const asked = request({ ...target, method, path, signal: AbortSignal.timeout(TIMEOUT_MS) });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  const { statusCode = 0 } = response;
  if ((statusCode < 200 || statusCode > 299) && !expected.includes(statusCode)) {
    throw new Error(`The Docker API answered ${statusCode} to ${method} ${path}: ${text}`);
  }
  return text;
}
