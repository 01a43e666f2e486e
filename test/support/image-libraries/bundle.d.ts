/** The parts of image libraries that make URLs (bundle.js). */

export function unpicImgix(url: string, operations: Readonly<Record<string, string | number>>): string;

interface NuxtImage {
  (input: string, modifiers: object): string;
  getSizes(
    input: string,
    options: { readonly sizes?: string; readonly modifiers: object },
  ): { readonly src: string; readonly srcset: string };
}
export function createNuxtImage(options: object): NuxtImage;
export const nuxtImgix: () => object;

interface NextImgProps {
  readonly props: { readonly src: string; readonly srcSet?: string };
}
export function getNextImgProps(props: object, state: object): NextImgProps;
/** The configuration that next/image has by default. */
export function prepareNextImageConfig(environment: undefined, context: undefined): object;
