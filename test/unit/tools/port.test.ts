import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { isPortFree } from "../../../src/tools/local/port.ts";

it.each(["127.0.0.1", "0.0.0.0", "::1", "::"])("A port on which a program listens at %s is not free", async (host) => {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, "close");
  expect(await isPortFree(port)).toBe(true);
});
