import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { bearer, call, openAccount } from "../support/api/api.ts";

/** A request with its own scheme and host, as the platform passes it to the Worker. */
const send = (url: string, init: RequestInit = {}) =>
  exports.default.fetch(new Request(url, { redirect: "manual", ...init }));

describe("HTTPS only (SVC-9)", () => {
  it.each(["/health", "/dashboard", "/docs/", "/uploads/none/none?download=1"])(
    "A read of %s over http is redirected to https",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        const response = await send(`http://media.example:80${path}`, { method });
        expect([response.status, response.headers.get("Location")]).toEqual([308, `https://media.example${path}`]);
      }
    },
  );

  it("A session or key over http is refused, in a header, a cookie and a log-in", async () => {
    const { token, uploadKey, email, password } = await openAccount();
    const refused = async (url: string, init: RequestInit) => {
      const response = await send(url, init);
      expect([response.status, await response.json()]).toMatchObject([403, { code: "https_required" }]);
      expect(response.headers.get("Set-Cookie")).toBeNull();
    };
    await refused("http://media.example/account", { headers: bearer(token) });
    await refused("http://media.example/images/upload", { method: "POST", headers: bearer(uploadKey), body: "x" });
    await refused("http://media.example/uploads/none/none", { method: "POST", body: "x" });
    await refused("http://media.example/auth/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    const withCookie = await send("http://media.example/account", { headers: { Cookie: `session=${token}` } });
    expect(withCookie.status).toBe(308);
  });

  it.each(["http://localhost:8787", "http://127.0.0.1:1", "http://[::1]:8787", "http://app.localhost"])(
    "A session at %s works, without `Strict-Transport-Security`",
    async (origin) => {
      const { token } = await openAccount();
      const response = await send(`${origin}/account`, { headers: { Cookie: `session=${token}` } });
      expect(response.status).toBe(200);
      expect(response.headers.has("Strict-Transport-Security")).toBe(false);
    },
  );

  it.each(["http://localhost.evil.example", "http://127.0.0.1.evil.example", "http://10.0.0.1"])(
    "The host of %s is not loopback",
    async (origin) => {
      expect((await send(`${origin}/health`)).status).toBe(308);
    },
  );

  it.each(["/health", "/nowhere", "/dashboard", "/uploads/none/none"])(
    "The answer of %s over https carries `Strict-Transport-Security`",
    async (path) => {
      expect((await call(path)).headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    },
  );
});
