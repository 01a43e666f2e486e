import { createServer } from "node:net";

/** The addresses that `localhost` can mean, and all addresses of this machine, because a program may listen on only one of them. */
const HOSTS = ["127.0.0.1", "::1", "0.0.0.0", "::"];

/** Whether nothing listens on the port. A browser that opens `localhost` would otherwise reach another program. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of HOSTS) if (!(await isFreeOn(host, port))) return false;
  return true;
}

/** A machine without IPv6 has nothing that listens on it. */
function isFreeOn(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "EADDRINUSE" && code !== "EACCES"));
    server.listen({ host, port, exclusive: true, ipv6Only: host.includes(":") }, () =>
      server.close(() => resolve(true)),
    );
  });
}

/** The message for a port that another program listens on. */
export function portTaken(port: number): string {
  return `port ${port} is taken; set PORT to a free port`;
}
