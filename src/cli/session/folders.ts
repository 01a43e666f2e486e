import { homedir } from "node:os";
import { join } from "node:path";

const NAME = "media-host";

/** The folder of the login (XDG Base Directory Specification; Windows: roaming application data). */
export function configFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || (windows(env.APPDATA) ?? join(homedir(), ".config")), NAME);
}

/** The folder of the records of finished and unfinished uploads. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_STATE_HOME || (windows(env.LOCALAPPDATA) ?? join(homedir(), ".local", "state")), NAME);
}

function windows(folder: string | undefined): string | undefined {
  return process.platform === "win32" && folder ? folder : undefined;
}
