import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Plugin } from "vite";
import { parseRegistrationMode, REGISTRATION_MODES } from "../domain/registration.ts";
import { Children } from "./local/children.ts";
import { type DemoAccounts, ensureDemoAccounts } from "./local/demo-accounts.ts";
import { ensureDevVars, readDevVars } from "./local/dev-vars.ts";
import { keepMediaProcessor } from "./local/media-processor.ts";
import { isPortFree, portTaken } from "./local/port.ts";
import { startWorkers } from "./local/worker-stack.ts";

/** Addresses of the dashboard's pages and modules. The API answers all others. */
const OTHERS = "^/(?!dashboard(/|$)|@)";

/**
 * Serves the dashboard from its sources, with hot reload, and passes all other requests on to the API.
 * @throws Error if the port is taken
 */
async function serveDashboard(port: number, apiUrl: string): Promise<void> {
  // Loaded here, because `npm start` does not need them.
  const [{ createServer }, { default: react }] = await Promise.all([import("vite"), import("@vitejs/plugin-react")]);
  const home: Plugin = {
    name: "dashboard-home",
    // Vite answers its base without the last slash by 404. The API serves the dashboard there, and so does its own router.
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        request.url = request.url?.replace(/^\/dashboard(?=$|\?)/, "/dashboard/");
        next();
      });
    },
  };
  const server = await createServer({
    configFile: "src/dashboard/vite.config.ts",
    plugins: [react(), home],
    logLevel: "warn",
    server: { host: "127.0.0.1", port, strictPort: true, proxy: { [OTHERS]: { target: apiUrl } } },
  });
  await server.listen();
}

/**
 * `npm start`: the whole service on this machine. PORT (8787) and STATE_DIR (.wrangler/state) can be set. With `--dev` (`npm run dev`) it also
 * serves the dashboard from its sources, with hot reload, on DASHBOARD_PORT (5173), and the Workers' inspector on 9229.
 */

const PARENT_CHECK_MS = 500;
const INSPECTOR_PORT = 9229;

const isDev = process.argv.includes("--dev");
const dashboardPort = Number(process.env.DASHBOARD_PORT ?? 5173);

const port = Number(process.env.PORT ?? 8787);
const stateDir = resolve(process.env.STATE_DIR ?? ".wrangler/state");
const baseUrl = `http://localhost:${port}`;
const children = new Children();
const WITHOUT_ACCOUNTS = `
The demo accounts exist, but their password is not in ${stateDir}.
Create an account in the dashboard, or set STATE_DIR to a new folder to get new demo accounts.`;

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(1);
}

async function stop(exitCode: number): Promise<void> {
  if (children.stopping) {
    // After a second signal, nothing is waited for.
    children.kill();
    process.exit(1);
  }
  await children.stop();
  process.exit(exitCode);
}

/** A killed `npm start` would leave this process and its stack running, and Ctrl-C would not reach them. */
function endWithNpm(): void {
  if (!["start", "dev"].includes(process.env.npm_lifecycle_event ?? "")) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm && !children.stopping) void stop(1);
  }, PARENT_CHECK_MS).unref();
}

async function start(): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    fail(`PORT must be a port number, not "${process.env.PORT}"`);
  if (parseRegistrationMode(process.env.REGISTRATION) === undefined)
    fail(`REGISTRATION must be one of ${REGISTRATION_MODES.join(", ")}, not "${process.env.REGISTRATION}"`);
  if (!(await isPortFree(port))) fail(portTaken(port));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
  endWithNpm();

  console.log("Starting the media host ...");
  await mkdir(stateDir, { recursive: true });
  await ensureDevVars();
  await children.run(process.execPath, ["src/tools/build.ts"]);
  const { url: mediaProcessorUrl } = await keepMediaProcessor(`http://127.0.0.1:${port}`, children);
  const workers = await startWorkers(
    { port, stateDir, mediaProcessorUrl, inspectorPort: isDev ? INSPECTOR_PORT : 0, watchSources: isDev },
    children,
  );
  workers.once("exit", () => {
    if (children.stopping) return;
    console.error("error: wrangler dev stopped unexpectedly");
    void stop(1);
  });
  if (isDev) await serveDashboard(dashboardPort, `http://127.0.0.1:${port}`);
  const adminToken = readDevVars().get("ADMIN_TOKEN") ?? "";
  // A backup is restored into an empty stack only.
  if (process.env.DEMO_ACCOUNTS === "none") announce("This stack has no demo accounts (DEMO_ACCOUNTS=none).");
  else announce(describeAccounts(await ensureDemoAccounts(`http://127.0.0.1:${port}`, stateDir, adminToken)));
}

const DEV_ADDRESSES = `
  with hot reload http://localhost:${dashboardPort}/dashboard
  Inspector       http://127.0.0.1:${INSPECTOR_PORT} (chrome://inspect)`;

function announce(accounts: string): void {
  console.log(`
Media host is ready at ${baseUrl}
  Dashboard       ${baseUrl}/dashboard${isDev ? DEV_ADDRESSES : ""}
  API reference   ${baseUrl}/docs
${accounts}

Ctrl-C stops everything.`);
}

function describeAccounts(accounts: DemoAccounts | undefined): string {
  if (accounts === undefined) return WITHOUT_ACCOUNTS;
  const { password, free, pro } = accounts;
  return `  Free account    ${free.email}   upload key ${free.uploadKey}
  Pro account     ${pro.email}    API key    ${pro.apiKey}
  Password        ${password}   (both)

Upload a file:
  curl -H "Authorization: Bearer ${pro.apiKey}" -F "file=@photo.jpg" ${baseUrl}/images/upload`;
}

try {
  await start();
} catch (error) {
  if (!children.stopping) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}
