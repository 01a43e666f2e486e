import { homedir } from "node:os";
import { join } from "node:path";

const NAME = "media-host";

/** Where the login is kept (XDG Base Directory Specification; Windows: roaming application data). */
export function configFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || (windows(env.APPDATA) ?? join(homedir(), ".config")), NAME);
}

/** Where it is kept what was uploaded, and what was begun. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_STATE_HOME || (windows(env.LOCALAPPDATA) ?? join(homedir(), ".local", "state")), NAME);
}

function windows(folder: string | undefined): string | undefined {
  return process.platform === "win32" && folder ? folder : undefined;
}
