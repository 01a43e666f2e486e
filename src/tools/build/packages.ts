import { buildPackage, type Package } from "./build-package.ts";

/** What `npm publish .client .element .cli` would send. */
export const PACKAGES = {
  client: {
    name: "edge-media-host-client",
    description: "The typed client of the media host, for browsers, Node and Workers.",
    source: "src/client",
    out: ".client",
    // AbortSignal.any
    oldestNode: "20.3",
    modules: ["index", "node", "images"],
    alone: ["events", "admin"],
    sideEffects: false,
  },
  element: {
    name: "edge-media-host-upload",
    description: "<media-upload>: an element that uploads images and videos to the media host.",
    source: "src/element",
    out: ".element",
    // It contains the client.
    oldestNode: "20.3",
    modules: ["index"],
    // Importing it defines the element.
    sideEffects: true,
  },
  cli: {
    name: "edge-media-host-cli",
    description: "Uploads to the media host from the command line.",
    source: "src/cli",
    out: ".cli",
    // Symbol.asyncDispose
    oldestNode: "20.4",
    command: "media-host",
    modules: [],
  },
} as const satisfies Record<string, Package>;

/** Builds all packages that changed. */
export async function buildPackages(): Promise<void> {
  await Promise.all(Object.values(PACKAGES).map(buildPackage));
}
