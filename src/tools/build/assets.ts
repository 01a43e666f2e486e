import { copyFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { STRICT_TRANSPORT } from "../../domain/https-only.ts";
import { buildDocs, DOCS_SOURCES } from "./docs.ts";
import { isFresh } from "./is-fresh.ts";

const OUT = ".assets";
const SWAGGER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js"];

const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Media host API</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="stylesheet" href="./swagger-ui.css" />
  </head>
  <body>
    <p style="padding: 0 20px"><a href="/docs/quick-start">Guide</a></p>
    <div id="docs"></div>
    <script src="./swagger-ui-bundle.js"></script>
    <script src="./docs.js"></script>
  </body>
</html>
`;

/** Swagger UI stops after three operations if it is given more than 137, so the page leaves out the operator's. */
const DOCS_SCRIPT = `fetch("/openapi.json").then((answer) => answer.json()).then((spec) => {
  for (const path of Object.keys(spec.paths)) if (path.startsWith("/admin")) delete spec.paths[path];
  SwaggerUIBundle({ spec, dom_id: "#docs", deepLinking: true, persistAuthorization: false });
});
`;

/** The icon of pages and of the installed dashboard. */
export const ICON = "src/dashboard/public/app/icon.svg";

const HEADERS = `/docs/*
  Content-Security-Policy: default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'
  X-Content-Type-Options: nosniff
/share-page/*
  X-Content-Type-Options: nosniff
/share-page/*.woff2
  Cache-Control: public, max-age=2592000
/dashboard/assets/*
  ${STRICT_TRANSPORT.name}: ${STRICT_TRANSPORT.value}
  Cache-Control: public, max-age=31536000, immutable
  X-Content-Type-Options: nosniff
`;

/** Fills `.assets` with the browsable API description, unless it exists. The API Worker serves these files unchanged. */
export async function buildAssets(): Promise<void> {
  const swaggerPackage = createRequire(import.meta.url).resolve("swagger-ui-dist/package.json");
  const swagger = dirname(swaggerPackage);
  const docs = join(OUT, "docs");
  // The file that is written last.
  if (await isFresh(join(OUT, "_headers"), [swaggerPackage, fileURLToPath(import.meta.url), ICON, ...DOCS_SOURCES]))
    return;
  await rm(OUT, { recursive: true, force: true });
  await buildDocs(OUT);
  for (const file of SWAGGER_FILES) await copyFile(join(swagger, file), join(docs, file));
  await writeFile(join(docs, "index.html"), DOCS_PAGE);
  await writeFile(join(docs, "docs.js"), DOCS_SCRIPT);
  await copyFile(ICON, join(OUT, "favicon.svg"));
  await writeFile(join(OUT, "_headers"), HEADERS);
}
