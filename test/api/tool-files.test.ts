import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/api/api.ts";

// Configurations for other programs' uploads. The resulting requests are tested in test/e2e/tools-*.test.ts.

interface Tools {
  readonly keyPlaceholder: string;
  readonly tools: readonly { readonly name: string; readonly filename: string; readonly url: string }[];
}

describe("GET /tools", () => {
  it("`GET /tools` lists every file; each has this service's address, and one place for the key", async () => {
    const { keyPlaceholder, tools } = await (await call("/tools")).json<Tools>();
    expect(tools.map(({ name }) => name)).toEqual(["sharex", "picgo", "script", "shortcut", "html", "uppy"]);
    for (const { url, filename } of tools) {
      const { origin, pathname } = new URL(url);
      const answer = await call(pathname);
      expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="${filename}"`);
      const text = await answer.text();
      expect(text).toContain(origin);
      expect(text.split(keyPlaceholder)).toHaveLength(2);
    }
  });

  it("`GET /tools` has JSON for programs that read JSON", async () => {
    for (const name of ["sharex", "picgo"]) {
      const answer = await call(`/tools/${name}`);
      expect(answer.headers.get("Content-Type")).toContain("application/json");
      expect(Object.keys(await answer.json<object>()).length).toBeGreaterThan(1);
    }
  });

  it("`GET /tools` knows no other name", async () => {
    for (const name of ["unknown", "constructor", "..%2Fhealth"])
      expect((await call(`/tools/${name}`)).status).toBe(404);
  });

  it("`GET /tools` puts only a plain host name into a script", async () => {
    const { createApp } = await import("../../src/app.ts");
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    const request = new Request("https://a';id;'.example/tools/script");
    const answer = await createApp().fetch(request, env, context as unknown as ExecutionContext);
    expect(answer.status).toBe(400);
  });
});
