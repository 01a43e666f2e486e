/** A file's text, as Vite imports it. */
declare module "*?raw" {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** The files of a pattern, by path, as Vite finds them. */
  glob(pattern: string): Record<string, () => Promise<unknown>>;
  /** The texts of the files. */
  glob(
    pattern: string,
    options: { readonly query: "?raw"; readonly import: "default"; readonly eager: true },
  ): Record<string, string>;
}
