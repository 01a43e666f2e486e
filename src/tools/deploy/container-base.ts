import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { DeployError } from "./deploy-error.ts";

const DOCKERFILE = "container/Dockerfile";
const DAY_MS = 86_400_000;
/** Security updates of the system, of Node and of ffmpeg reach the Container after this time at the latest. */
const MAX_AGE_DAYS = 30;
const PULL_TIMEOUT_MS = 10 * 60_000;

/** The base of the Container's image. */
export interface ContainerBase {
  /** The day on which it was pulled, `YYYY-MM-DD`; a build argument of the image. */
  readonly date: string;
  /** Its age in days if it has to be pulled again; undefined if it is young enough, or was never pulled. */
  readonly outdatedDays: number | undefined;
}

/** @param pulled the day of the last pull; undefined if it is unknown */
export function judgeBase(pulled: string | undefined, now: number): ContainerBase {
  const today = new Date(now).toISOString().slice(0, 10);
  if (pulled === undefined) return { date: today, outdatedDays: undefined };
  const days = Math.floor((Date.parse(today) - Date.parse(pulled)) / DAY_MS);
  return days > MAX_AGE_DAYS ? { date: today, outdatedDays: days } : { date: pulled, outdatedDays: undefined };
}

/** Pulls the base, because a build would use the copy of this machine. @throws DeployError with Docker's message */
export async function pullBase(): Promise<void> {
  const base = /^FROM (\S+)/m.exec(await readFile(DOCKERFILE, "utf8"))?.[1];
  if (base === undefined) throw new Error(`${DOCKERFILE} names no base`);
  const docker = process.env.WRANGLER_DOCKER_BIN ?? "docker";
  const failure = await new Promise<string | undefined>((resolve) => {
    // Containers run only on this architecture.
    const args = ["pull", "--quiet", "--platform", "linux/amd64", base];
    execFile(docker, args, { timeout: PULL_TIMEOUT_MS }, (error, _out, said) => resolve(error ? said : undefined));
  });
  if (failure !== undefined) throw new DeployError(`The Container's base ${base} cannot be pulled:\n${failure.trim()}`);
}
