import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Snippet } from "../../src/dashboard/shell/key-tools/snippet.ts";
import { toSnippets } from "../../src/dashboard/shell/key-tools/to-snippets.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { runShell } from "../support/dashboard/shell.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

// The code that the dashboard and the quick start show, run as it stands with a key that can only upload.

const run = promisify(execFile);
const URL_LINE = /^http\S+-photo\.jpg\n$/;

let stack: Stack;
let folder: string;
let snippets: ReadonlyMap<string, Snippet>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snippets-"));
  [stack] = await Promise.all([Stack.start(), makePhoto(join(folder, "photo.jpg"))]);
  const { free } = await stack.demoAccounts();
  const made = toSnippets({ baseUrl: stack.baseUrl, key: free.uploadKey });
  snippets = new Map(made.map((snippet) => [snippet.id, snippet]));
  // The bundler and the compiler find React there.
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
});

afterAll(async () => {
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

function codeOf(id: Snippet["id"], file = 0): string {
  return snippets.get(id)?.files[file]?.text ?? "";
}

/** Writes a snippet into the folder of the photo. @returns its path */
async function save(name: string, code: string): Promise<string> {
  await writeFile(join(folder, name), code);
  return join(folder, name);
}

/** Whether a command succeeds on this machine. */
function has(command: string, ...args: readonly string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

describe("snippets", () => {
  it("The curl command uploads a file", async () => {
    const { output } = await runShell(codeOf("curl"), folder);
    expect(JSON.parse(output)).toMatchObject({ originalFilename: "photo.jpg" });
  });

  it("The JavaScript prints the URL of the upload", async () => {
    const { stdout } = await run(process.execPath, [await save("upload.mjs", codeOf("javascript"))], { cwd: folder });
    expect(stdout).toMatch(URL_LINE);
    expect((await curl(stdout.trim())).status).toBe(200);
  });

  it("The shell script prints the URL of the upload", async () => {
    await save("upload.sh", codeOf("shell"));
    expect((await runShell("sh upload.sh photo.jpg", folder)).output).toMatch(URL_LINE);
  });

  it("The Python prints the URL of the upload", async ({ skip }) => {
    skip(!(await has("python3", "-c", "import requests")), "needs Python 3 with requests");
    const { stdout } = await run("python3", [await save("upload.py", codeOf("python"))], { cwd: folder });
    expect(stdout).toMatch(URL_LINE);
  });

  it("The PHP prints the URL of the upload", async ({ skip }) => {
    skip(!(await has("php", "-r", "exit(function_exists('curl_init') ? 0 : 1);")), "needs PHP with curl");
    const { stdout } = await run("php", [await save("upload.php", codeOf("php"))], { cwd: folder });
    expect(stdout).toMatch(URL_LINE);
  });

  it("The Go prints the URL of the upload", async ({ skip }) => {
    skip(!(await has("go", "version")), "needs Go");
    const { stdout } = await run("go", ["run", await save("upload.go", codeOf("go"))], { cwd: folder });
    expect(stdout).toMatch(URL_LINE);
  });

  it("The request of the Go, a body of unknown length, stores the file under its name", async () => {
    const [, url = ""] = /"POST", "([^"]+)"/.exec(codeOf("go")) ?? [];
    const headers = [...codeOf("go").matchAll(/Header\.Set\("([^"]+)", "([^"]+)"\)/g)];
    expect(headers.map(([, name]) => name)).toEqual(["Authorization", "Content-Type"]);
    const answer = await curl(
      ...headers.flatMap(([, name, value]) => ["-H", `${name}: ${value}`]),
      ...["-H", "Transfer-Encoding: chunked", "--data-binary", `@${join(folder, "photo.jpg")}`, url],
    );
    expect([answer.status, answer.json()]).toMatchObject([201, { originalFilename: "photo.jpg" }]);
  });

  it("The React and Next.js components have no error of types", async () => {
    await mkdir(join(folder, "app/upload-token"), { recursive: true });
    await save("react.tsx", codeOf("react"));
    await save("app/upload-token/route.ts", codeOf("next"));
    await save("app/upload.tsx", codeOf("next", 1));
    const options = [
      "--noEmit",
      "--strict",
      "--jsx",
      "react-jsx",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
    ];
    const files = ["react.tsx", "app/upload-token/route.ts", "app/upload.tsx"];
    const libraries = ["--lib", "es2024,dom,dom.iterable", "--types", "react", "--skipLibCheck"];
    const tsc = resolve("node_modules/.bin/tsc");
    const { stdout } = await run(tsc, [...options, ...libraries, "--ignoreConfig", ...files], { cwd: folder }).catch(
      (error) => error,
    );
    expect(stdout).toBe("");
  });

  it("The React and Next.js components upload a chosen file and show it", async () => {
    await save("next-route.mjs", codeOf("next"));
    const { POST } = (await import(pathToFileURL(join(folder, "next-route.mjs")).href)) as {
      POST(): Promise<Response>;
    };
    const scripts = { react: await bundle(codeOf("react")), next: await bundle(codeOf("next", 1)) };
    const server = createServer(async (request, response) => {
      const name = request.url === "/next.js" ? "next" : "react";
      if (request.url === "/upload-token") {
        const token = await POST();
        response.writeHead(token.status, { "Content-Type": "application/json" }).end(await token.text());
      } else if (request.url?.endsWith(".js")) {
        response.writeHead(200, { "Content-Type": "text/javascript" }).end(scripts[name]);
      } else {
        const page = `<!doctype html><title>x</title><div id="root"></div><script src="${request.url}.js"></script>`;
        response.writeHead(200, { "Content-Type": "text/html" }).end(page);
      }
    });
    await new Promise<void>((resolveListening) => server.listen(0, "127.0.0.1", resolveListening));
    const browser = await openBrowser();
    try {
      const { page, problems } = await openPage(browser);
      for (const name of ["react", "next"]) {
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`);
        await page.locator("input[type=file]").setInputFiles(join(folder, "photo.jpg"));
        await page.locator("img").waitFor();
        expect(await page.locator("img").getAttribute("src"), name).toMatch(/-photo\.jpg$/);
      }
      expect(problems.filter((problem) => !problem.includes("404"))).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

/** Bundles a snippet's component with React, and renders it. */
async function bundle(code: string): Promise<string> {
  const contents = `${code}
import { createRoot } from "react-dom/client";
createRoot(document.getElementById("root")!).render(<Upload />);`;
  const { outputFiles } = await build({
    stdin: { contents, loader: "tsx", resolveDir: process.cwd() },
    bundle: true,
    write: false,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text ?? "";
}
