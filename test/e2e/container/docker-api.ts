import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

const DEFAULT_SOCKET = "unix:///var/run/docker.sock";
const TIMEOUT_MS = 20_000;
/** What workerd calls the Containers of the API Worker. */
const NAME = /^\/workerd-media-host-api-/;
/** The sidecar of each, whose network it uses. */
const SIDECAR = /-proxy$/;

/** Whether a Docker API answers at DOCKER_HOST, or where Docker listens by default. */
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
  /** Whom its processes run as. */
  readonly user: string;
  readonly isRunning: boolean;
}

/** The state of each of these Containers; sidecars are left out. One that is gone meanwhile does not run. */
export async function inspectContainers(ids: readonly string[]): Promise<ContainerState[]> {
  const containers = await Promise.all(ids.map((id) => call("GET", `/containers/${id}/json`, [404])));
  return containers
    .map((text) => JSON.parse(text) as { Name?: string; Config: { User: string }; State: { Running: boolean } })
    .filter(({ Name }) => Name !== undefined && !SIDECAR.test(Name))
    .map(({ Config, State }) => ({ user: Config.User, isRunning: State.Running }));
}

/** Removes a container and what is in it, running or not. One that is gone already is no error. */
export async function removeContainer(id: string): Promise<void> {
  await call("POST", `/containers/${id}/kill`, [404, 409]);
  await call("DELETE", `/containers/${id}?force=1&v=1`, [404, 409]);
}

/** @throws Error where nobody answers, or not with success or one of the statuses expected */
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
