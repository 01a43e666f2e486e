const words = (text: string) => text.split(" ").filter((word) => word !== "");
/** The rooms and packages that a room's files may import. A file's path allows only that file, and WebAssembly needs one outside `codecs`. */
const room = (rooms: string, packages = "") => ({ rooms: words(rooms), packages: words(packages) });

const PAGE = "dashboard/shell dashboard/design dashboard/api client domain";
const PLAIN_PAGES = words("file login operator settings shares usage welcome");
const PAGE_PACKAGES = "react react-dom wouter lucide-react @tanstack/react-query";

/** The longest name that a path begins with is its room. Names are folders or files of `src/`, except `container`. */
export const ARROWS: Readonly<Record<string, ReturnType<typeof room>>> = {
  "worker.ts": room("app.ts domain jobs meter processor", "@cloudflare/containers"),
  "app.ts": room("api", "@hono/zod-openapi"),
  api: room("services contract multipart domain", "hono @hono/zod-openapi zod @simplewebauthn/server"),
  jobs: room("services meter processor domain"),
  services: room(
    "meter db processor multipart isolate domain media/first-bytes.ts media/camera/read-camera-facts.ts media/camera/read-far-film.ts media/metadata/scrubber.ts media/sha256/storable-sha256.ts media/sha256/engine/sha256-engine.wasm media/describe-unsupported.ts",
    "@simplewebauthn/server jose standardwebhooks node:",
  ),
  meter: room("db isolate domain media/camera/read-far-film.ts", "cloudflare: node:"),
  processor: room("codecs domain", "@cloudflare/containers"),
  db: room("domain migrations", "drizzle-orm"),
  codecs: room("media isolate domain", "cloudflare: @jsquash/jpeg @jsquash/png @jsquash/webp"),
  media: room("domain", "@jsquash/jpeg @jsquash/webp thumbhash node:"),
  multipart: room(""),
  isolate: room(""),
  contract: room("domain", "@hono/zod-openapi"),
  domain: room("", "ulid ipaddr.js"),
  cdn: room("domain codecs/worker.ts", "cloudflare:"),
  client: room("", "node:"),
  "client/images.ts": room("client/placeholder.ts client/sign.ts client/sizes.ts"),
  "client/sizes.ts": room("domain/variants"),
  "client/sign.ts": room("domain/variants domain/file-address.ts domain/file-signature.ts"),
  "client/placeholder.ts": room("client/thumb-hash.ts"),
  "client/types.ts": room("contract client", "@hono/zod-openapi"),
  element: room("client"),
  cli: room("client domain", "node: aws4fetch"),
  "cli/mcp": room("cli client domain", "node: zod @modelcontextprotocol/sdk"),
  tools: room(
    "domain client worker.ts",
    "node: @zxcvbn-ts/language-common @vitejs/plugin-react esbuild marked oxc-parser sharp vite wrangler zod",
  ),
  "tools/lint-openapi.ts": room(
    "app.ts api/openapi",
    "node: @redocly/openapi-core @stoplight/spectral-core @stoplight/spectral-parsers @stoplight/spectral-rulesets",
  ),
  container: room("media/webp media/exif media/has-animation-control.ts domain/variants", "node: sharp"),
  dashboard: room("dashboard client domain", "react react-dom wouter @tanstack/react-query node: vite"),
  "dashboard/api": room("client domain", "react @tanstack/react-query @simplewebauthn/browser"),
  "dashboard/design": room("", "react react-dom @base-ui/react lucide-react uqr"),
  "dashboard/shell": room("dashboard/design dashboard/api client domain", `${PAGE_PACKAGES} tinykeys`),
  ...Object.fromEntries(PLAIN_PAGES.map((page) => [`dashboard/${page}`, room(PAGE, PAGE_PACKAGES)])),
  "dashboard/developers": room(`element ${PAGE}`, PAGE_PACKAGES),
  "dashboard/share-page": room("dashboard/file/zoom.ts dashboard/file/zoom-gestures.ts domain", "client-zip"),
  "dashboard/uploads": room(`dashboard/file/formats-dialog.tsx dashboard/file/signed-link.ts ${PAGE}`, PAGE_PACKAGES),
  "dashboard/library": room(
    `dashboard/file dashboard/shares dashboard/uploads ${PAGE}`,
    `${PAGE_PACKAGES} client-zip @atlaskit/pragmatic-drag-and-drop`,
  ),
};
