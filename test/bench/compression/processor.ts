import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Processor extends AsyncDisposable {
  readonly url: URL;
}

/** The media processor as a process on a free port of this machine. @throws Error if it does not start */
export async function startProcessor(): Promise<Processor> {
  const server = spawn(process.execPath, ["container/server.ts"], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  // The tests of a process may share it, because no other code stops it.
  const stop = () => server.kill("SIGTERM");
  process.once("exit", stop);
  const [line] = await Promise.race([once(createInterface(server.stdout), "line"), exited.then(() => ["{}"])]);
  const { listening } = JSON.parse(line) as { listening?: number };
  if (listening === undefined) throw new Error("The media processor did not start");
  return {
    url: new URL(`http://127.0.0.1:${listening}`),
    [Symbol.asyncDispose]: async () => {
      process.off("exit", stop);
      stop();
      await exited;
    },
  };
}
