import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const THEME = join(import.meta.dirname, "theme.js");
const MAIN = join(import.meta.dirname, "main.tsx");
/** What is in the first look at the library, the page that is loaded most. */
const LIBRARY = [
  "library/library-page.tsx",
  "library/library-extras.tsx",
  "library/library-sidebar.tsx",
  "shell/banners.tsx",
  "shell/overlays.tsx",
].map((file) => join(import.meta.dirname, file));
const SOURCES = join(import.meta.dirname, "..");

/** Puts theme.js into the page's head under a name with its hash: a classic script, which Vite does not bundle. */
function themeScript(): Plugin {
  let reference: string;
  return {
    name: "theme-script",
    apply: "build",
    async buildStart() {
      const source = await readFile(THEME, "utf8");
      reference = this.emitFile({ type: "asset", name: "theme.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        if (bundle === undefined) return;
        const [file] = Object.values(bundle).filter(({ fileName }) => /(^|\/)theme-[^/]*\.js$/.test(fileName));
        if (file === undefined || reference === undefined) throw new Error("The build lost theme.js");
        return [{ tag: "script", attrs: { src: `/dashboard/${file.fileName}` }, injectTo: "head-prepend" }];
      },
    },
  };
}

/** The text's font is asked for with the scripts, and not when there is text: that would be laid out again. */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) =>
        Object.values(bundle)
          .filter(({ fileName }) => fileName.endsWith(".woff2"))
          .map(({ fileName }) => ({
            tag: "link",
            attrs: {
              rel: "preload",
              as: "font",
              type: "font/woff2",
              crossorigin: true,
              href: `/dashboard/${fileName}`,
            },
            injectTo: "head",
          })),
    },
  };
}

/** Chunks of which a first load calls most functions. */
const CALLED_ON_LOAD = /^(react|query|first|icons|library-page)$/;

/**
 * Has Chromium compile all of a chunk where it reads it, beside the main thread, and not on it, each function at its first call: that was a
 * fifth of what a first load is for it.
 */
function compileOnLoad(): Plugin {
  return {
    name: "compile-on-load",
    apply: "build",
    generateBundle: {
      // Vite writes its own line before it otherwise: the hint counts at the top alone.
      order: "post",
      handler(_, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type !== "chunk" || !CALLED_ON_LOAD.test(output.name)) continue;
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
        }
      },
    },
  };
}

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What almost every page has, so that its first load has it in one file: many small files cost more than they hold. */
const COMMON =
  /node_modules.(wouter|regexparam|@base-ui.react.(csp-provider|internals.csp-context))|preload-helper|domain.(tiers|tags|errors)\.|queries.(folders|tags)\.|library.(file-types|undo-stack|folders.(folder-nodes|compare-names|open-folders))\.|(design|shell).(problem|chip|dialog|single-keys|slider|when-idle|segmented|copy-text|icon-button|format-keys|page|top-bar|search-field)\./;

const ICON = /node_modules.lucide-react/;

/** @returns what a module of ours imports, our modules and icons, and what these import: all that is loaded with it */
function loadedWith(entry: string, graph: Graph, known: Set<string>): Set<string> {
  const add = (each: string) => {
    if (known.has(each) || !(each.startsWith(SOURCES) || ICON.test(each))) return;
    known.add(each);
    graph.getModuleInfo(each)?.importedIds.forEach(add);
  };
  add(entry);
  return known;
}

const loadedFirst = new Set<string>();
const loadedWithLibrary = new Set<string>();

/** Whether a module of ours is loaded before any page is. */
function isFirst(id: string, graph: Graph): boolean {
  if (loadedFirst.size === 0) loadedWith(MAIN, graph, loadedFirst);
  return id !== MAIN && !ICON.test(id) && (loadedFirst.has(id) || COMMON.test(id));
}

/** Whether a module is in the first look at the library. */
function isInLibrary(id: string, graph: Graph): boolean {
  if (loadedWithLibrary.size === 0) {
    for (const entry of [MAIN, ...LIBRARY]) loadedWith(entry, graph, loadedWithLibrary);
  }
  return loadedWithLibrary.has(id);
}

const DESIGN = /dashboard.design/;

export default defineConfig({
  // React has it itself; the package is for older ones.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: "react" }] },
  root: import.meta.dirname,
  base: "/dashboard/",
  plugins: [themeScript(), preloadFont(), compileOnLoad()],
  oxc: { jsx: { runtime: "automatic" } },
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    target: "es2023",
    // The first that know light-dark(): nothing is to be written in its place.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    // The policy of the page lets in no data: addresses.
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "react", test: /node_modules.(react|react-dom|scheduler)[\\/]/, priority: 3 },
            { name: "query", test: /node_modules.@tanstack/, priority: 3 },
            { debugName: "first", name: (id, graph) => (isFirst(id, graph) ? "first" : null), priority: 2 },
            {
              debugName: "icons",
              name: (id, graph) => (ICON.test(id) && isInLibrary(id, graph) ? "icons" : null),
              priority: 1,
            },
            { name: "more-icons", test: ICON },
            {
              debugName: "design",
              name: (id, graph) => (DESIGN.test(id) && !isInLibrary(id, graph) ? "design" : null),
              minShareCount: 3,
              priority: 1,
            },
          ],
        },
      },
      // Packages say "use client" to frameworks that also render on servers.
      onLog: (level, log, report) => void (log.code === "MODULE_LEVEL_DIRECTIVE" || report(level, log)),
    },
  },
});
