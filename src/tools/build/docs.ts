import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Marked, type Tokens } from "marked";

/** The pages of docs/ that the service serves at `/docs`, in the order of their menu. */
const PAGES = [
  "using/quick-start.md",
  "using/uploads.md",
  "using/resumable-uploads.md",
  "using/imports.md",
  "using/library.md",
  "using/files.md",
  "using/variants.md",
  "using/compression.md",
  "using/metadata.md",
  "using/private-files.md",
  "using/shares.md",
  "using/limits.md",
  "using/errors.md",
  "using/webhooks.md",
  "using/client.md",
  "using/upload-element.md",
  "using/command-line.md",
  "using/agents.md",
  "using/recipes.md",
  "using/nextjs.md",
  "using/astro.md",
  "using/sveltekit.md",
  "using/plain-html.md",
  "using/php.md",
  "using/django.md",
  "using/keys.md",
  "using/upload-tokens.md",
  "using/sign-in.md",
  "using/address-and-password.md",
  "using/other-tools.md",
  "contract.md",
].map((path) => join("docs", path));

/** The files from which the pages are made, for `isFresh`. */
export const DOCS_SOURCES: readonly string[] = [...PAGES, join(import.meta.dirname, "docs.ts")];

interface Page {
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** A part of a page that the search finds. */
interface Section {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Writes each page as HTML and as Markdown, the search's index, `llms.txt` and `llms-full.txt`. The API Worker replaces
 * `http://localhost:8787` by its own address when it serves them.
 * @param out the folder that is served at `/`
 */
export async function buildDocs(out: string): Promise<void> {
  const pages = await Promise.all(PAGES.map(readPage));
  const docs = join(out, "docs");
  await rm(docs, { recursive: true, force: true });
  await mkdir(docs, { recursive: true });
  const write = (name: string, text: string) => writeFile(join(docs, name), text);
  await Promise.all([
    ...pages.flatMap((page) => [
      write(`${page.name}.html`, layOut(page, pages)),
      write(`${page.name}.md`, page.markdown),
    ]),
    write("search.json", JSON.stringify(pages.flatMap(({ sections }) => sections))),
    write("guide.css", STYLE),
    write("guide.js", SEARCH),
    writeFile(join(out, "llms.txt"), listPages(pages)),
    writeFile(join(out, "llms-full.txt"), pages.map(({ markdown }) => markdown).join("\n")),
  ]);
}

async function readPage(path: string): Promise<Page> {
  const name = basename(path, ".md");
  const markdown = await readFile(path, "utf8");
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name;
  const sections = [{ url: `/docs/${name}`, title }];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = toId(text);
        if (depth === 2) sections.push({ url: `/docs/${name}#${id}`, title: `${title}: ${text}` });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const url = toUrl(href);
        return url === undefined ? text : `<a href="${url}">${text}</a>`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parser(marked.lexer(markdown));
  const parts = markdown.split(/^## /m);
  return {
    name,
    title,
    markdown,
    html,
    sections: sections.map((section, at) => ({ ...section, text: plain(parts[at] ?? "") })),
  };
}

/** A heading's anchor, in GitHub's way. */
function toId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replace(/\s+/g, "-");
}

/** The address of a link; undefined if it leads to a file of the repository that is not served. */
function toUrl(href: string): string | undefined {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const name = basename(path, ".md");
  if (!PAGES.some((page) => basename(page, ".md") === name)) return undefined;
  return `/docs/${name}${anchor === undefined ? "" : `#${anchor}`}`;
}

function plain(markdown: string): string {
  return markdown
    .replace(/[`*_|#>[\]-]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function listPages(pages: readonly Page[]): string {
  const lines = pages.map(({ name, title }) => `- [${title}](http://localhost:8787/docs/${name}.md)`);
  return `# Media host

> A REST service that stores images and videos and serves each at a direct URL.

## Pages

${lines.join("\n")}
- [OpenAPI 3.1](http://localhost:8787/openapi.json)
`;
}

function layOut({ name, title, html }: Page, pages: readonly Page[]): string {
  const links = pages.map(
    (page) =>
      `<li><a href="/docs/${page.name}"${page.name === name ? ' aria-current="page"' : ""}>${page.title}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} - Media host</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="alternate" type="text/markdown" href="/docs/${name}.md" />
    <link rel="stylesheet" href="/docs/guide.css" />
    <script src="/docs/guide.js" defer></script>
  </head>
  <body>
    <nav aria-label="Documentation">
      <label>Search <input type="search" id="search" autocomplete="off" /></label>
      <ul id="found" hidden></ul>
      <ul>${links.join("")}<li><a href="/docs/">API reference</a></li></ul>
    </nav>
    <main>
${html}
      <footer><a href="/docs/${name}.md">This page as Markdown</a></footer>
    </main>
  </body>
</html>
`;
}

const STYLE = `:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: light-dark(#1c1c1e, #e8e8ea); background: light-dark(#fff, #151517); }
nav { padding: 1.5rem; border-right: 1px solid light-dark(#ddd, #333); }
nav ul { list-style: none; padding: 0; }
nav a { display: block; padding: 0.2rem 0.5rem; border-radius: 0.3rem; text-decoration: none; }
nav a[aria-current] { background: light-dark(#eef2ff, #26304a); }
nav input { width: 100%; box-sizing: border-box; padding: 0.4rem; font: inherit; }
a { color: light-dark(#1a56c4, #8ab4ff); }
main { padding: 1.5rem 2rem; max-width: 52rem; min-width: 0; }
pre { padding: 1rem; overflow-x: auto; border-radius: 0.5rem; background: light-dark(#f4f4f6, #222226); }
code { font: 0.9em ui-monospace, monospace; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.4rem 0.7rem; border-bottom: 1px solid light-dark(#ddd, #333); text-align: left; vertical-align: top; }
footer { margin-top: 3rem; font-size: 0.9em; }
@media (max-width: 45rem) { body { display: block; } nav { border: 0; border-bottom: 1px solid light-dark(#ddd, #333); } }
`;

const SEARCH = `const input = document.getElementById("search");
const found = document.getElementById("found");
let sections;
input.addEventListener("input", async () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  sections ??= fetch("/docs/search.json").then((answer) => answer.json());
  const all = await sections;
  const score = ({ title, text }) => words.reduce((sum, word) => sum + (title.toLowerCase().includes(word) ? 10 : 0) + (text.toLowerCase().includes(word) ? 1 : -100), 0);
  const hits = words.length === 0 ? [] : all.map((each) => [score({ title: each.title, text: each.title + " " + each.text }), each]).filter(([points]) => points > 0).sort((one, other) => other[0] - one[0]).slice(0, 8);
  found.hidden = words.length === 0;
  found.replaceChildren(...(hits.length > 0 ? hits.map(([, { url, title }]) => {
    const link = document.createElement("a");
    link.href = url;
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    return item;
  }) : [Object.assign(document.createElement("li"), { textContent: "Nothing found" })]));
});
`;
