import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const THEME = join(import.meta.dirname, "theme.js");

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

export default defineConfig({
  root: import.meta.dirname,
  base: "/dashboard/",
  plugins: [themeScript()],
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
      // Packages say "use client" to frameworks that also render on servers.
      onLog: (level, log, report) => void (log.code === "MODULE_LEVEL_DIRECTIVE" || report(level, log)),
    },
  },
});
