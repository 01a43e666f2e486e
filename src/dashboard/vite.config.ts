import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const BEFORE_PAINT = join(import.meta.dirname, "before-paint.js");
const MAIN = join(import.meta.dirname, "main.tsx");
const LIBRARY_PAGE = join(import.meta.dirname, "library/library-page.tsx");
/** The parts of every page that load beside it: banners, overlays, uploads and the library's sidebar. */
const SHELL_PARTS = [
  "shell/page-banners.tsx",
  "shell/overlays.tsx",
  "uploads/uploads-view.tsx",
  "library/library-sidebar.tsx",
].map((file) => join(import.meta.dirname, file));
/** The parts of the library that load after its files. */
const LIBRARY_PARTS = [
  "library/library-extras.tsx",
  "library/filter-bar/more-filters.tsx",
  "library/sort-menu.tsx",
  "library/grid/ruler.tsx",
  "library/drag/watch-drags.ts",
].map((file) => join(import.meta.dirname, file));
const SOURCES = join(import.meta.dirname, "..");

/** Adds before-paint.js to the page's head under a hashed name: a classic script, which Vite does not bundle. */
function scriptBeforePaint(): Plugin {
  let reference: string;
  return {
    name: "script-before-paint",
    apply: "build",
    async buildStart() {
      const source = await readFile(BEFORE_PAINT, "utf8");
      reference = this.emitFile({ type: "asset", name: "before-paint.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        if (bundle === undefined) return;
        const [file] = Object.values(bundle).filter(({ fileName }) => /(^|\/)before-paint-[^/]*\.js$/.test(fileName));
        if (file === undefined || reference === undefined) throw new Error("The build lost before-paint.js");
        return [{ tag: "script", attrs: { src: `/dashboard/${file.fileName}` }, injectTo: "head-prepend" }];
      },
    },
  };
}

/** Preloads the font with the scripts. Otherwise it loads when the first text appears, which is then laid out again. */
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

/** The chunks whose functions a first load calls most. */
const CALLED_ON_LOAD = /^(react|query|first|icons|library-page)$/;

/**
 * Makes Chromium compile a whole chunk off the main thread as it loads, instead of each function on the main thread at its first call. That
 * took a fifth of the main thread's time in a first load.
 */
function compileOnLoad(): Plugin {
  return {
    name: "compile-on-load",
    apply: "build",
    generateBundle: {
      // Runs after Vite's own plugins, which add a line at the top: the hint must be in the first line.
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

/** Modules of almost every page. They are bundled into one file, because many small files load more slowly. */
const COMMON =
  /node_modules.(wouter|regexparam|@base-ui.react.(csp-provider|internals.csp-context))|preload-helper|domain.(tiers|tags|errors)\.|queries.(folders|tags)\.|library.(view.file-types|words|changes.use-changes|folders.(folder-nodes|compare-names|open-folders))\.|(design|shell).(problem|chip|dialog|single-keys|slider|when-idle|segmented|copy-text|icon-button|format-keys|page|top-bar|search-field)\./;

const ICON = /node_modules.lucide-react/;

/** @returns our modules and the icons that a module imports, directly or indirectly */
function loadedWith(entry: string, graph: Graph, known: Set<string>): Set<string> {
  const add = (each: string) => {
    if (known.has(each) || !(each.startsWith(SOURCES) || ICON.test(each))) return;
    known.add(each);
    graph.getModuleInfo(each)?.importedIds.forEach(add);
  };
  add(entry);
  return known;
}

/** @returns whether a module is loaded with one of these entries */
function loadedWithAny(entries: readonly string[]): (id: string, graph: Graph) => boolean {
  const known = new Set<string>();
  return (id, graph) => {
    if (known.size === 0) for (const entry of entries) loadedWith(entry, graph, known);
    return known.has(id);
  };
}

const isWithMain = loadedWithAny([MAIN]);
/** Whether a module is loaded with the library's page itself, and not after the files. */
const isInPage = loadedWithAny([MAIN, LIBRARY_PAGE]);
const isInAnyPage = loadedWithAny([MAIN, ...globSync(join(import.meta.dirname, "**/*-page.tsx"))]);
const isInShellParts = loadedWithAny(SHELL_PARTS);
const isInLibraryParts = loadedWithAny(LIBRARY_PARTS);

/** Whether a module is in the library's first view. */
function isInLibrary(id: string, graph: Graph): boolean {
  return [isInPage, isInShellParts, isInLibraryParts].some((isIn) => isIn(id, graph));
}

/** Whether one of our modules is loaded before any page. */
function isFirst(id: string, graph: Graph): boolean {
  return id !== MAIN && !ICON.test(id) && (isWithMain(id, graph) || COMMON.test(id));
}

/** The packages that no other part has. */
const KEYS = /node_modules.tinykeys/;
const DRAG = /node_modules.(@atlaskit|bind-event-listener|raf-schd)/;

/** The file of a module that loads after the first view's page. */
function partOf(id: string, graph: Graph): string | null {
  if (KEYS.test(id)) return "shell-parts";
  if (DRAG.test(id)) return "library-parts";
  if (isInAnyPage(id, graph)) return null;
  if (isInShellParts(id, graph)) return "shell-parts";
  return isInLibraryParts(id, graph) ? "library-parts" : null;
}

/** The chart is large, and few pages have one. */
const DESIGN = /dashboard.design.(?!day-)/;

export default defineConfig({
  // The package is for older versions of React.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: "react" }] },
  root: import.meta.dirname,
  base: "/dashboard/",
  plugins: [scriptBeforePaint(), preloadFont(), compileOnLoad()],
  oxc: { jsx: { runtime: "automatic" } },
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    target: "es2023",
    // The first versions with light-dark(), so that no fallback is generated.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    // The page's Content-Security-Policy blocks data: URLs.
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
              name: (id, graph) => (ICON.test(id) && isInPage(id, graph) ? "icons" : null),
              priority: 1,
            },
            {
              debugName: "later-icons",
              name: (id, graph) => (ICON.test(id) && isInLibrary(id, graph) ? "later-icons" : null),
              priority: 1,
            },
            { debugName: "parts", name: partOf, priority: 1 },
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
      // Some packages have "use client" directives for server rendering.
      onLog: (level, log, report) => void (log.code === "MODULE_LEVEL_DIRECTIVE" || report(level, log)),
    },
  },
});
