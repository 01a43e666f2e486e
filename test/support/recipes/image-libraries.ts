import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface NuxtImage {
  (input: string, modifiers: object): string;
  getSizes(
    input: string,
    options: { readonly sizes?: string; readonly modifiers: object },
  ): { readonly src: string; readonly srcset: string };
}

interface NextProps {
  readonly props: { readonly src: string; readonly srcSet?: string };
}

/** Nuxt Image with its provider for imgix. @param frameworks `node_modules` of the frameworks */
export async function loadNuxtImage(frameworks: string): Promise<NuxtImage> {
  const runtime = join(frameworks, "@nuxt/image/dist/runtime");
  const load = (file: string) => import(pathToFileURL(join(runtime, file)).href);
  const [{ createImage }, { default: imgix }] = await Promise.all([load("image.js"), load("providers/imgix.js")]);
  return createImage({
    provider: "imgix",
    presets: {},
    densities: [1, 2],
    alias: {},
    domains: [],
    screens: { sm: 640, md: 768 },
    providers: { imgix: { setup: imgix, defaults: { baseURL: "" } } },
  });
}

/** The properties of the `<img>` that `next/image` renders, with Next's usual configuration. @param frameworks `node_modules` of the frameworks */
export function loadNextImage(frameworks: string): (properties: object) => NextProps["props"] {
  const require = createRequire(join(frameworks, "next/package.json"));
  const { getImgProps } = require("./dist/shared/lib/get-img-props.js");
  const { prepareImageConfig } = require("./dist/shared/lib/image-config.js");
  const { default: defaultLoader } = require("./dist/shared/lib/image-loader.js");
  const imgConf = prepareImageConfig(undefined, undefined);
  return (properties) => getImgProps(properties, { defaultLoader, imgConf }).props;
}
