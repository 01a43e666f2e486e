import Download from "lucide-react/icons/download";
import { htmlFile } from "../../../domain/tool-files/html.ts";
import { scriptFile } from "../../../domain/tool-files/script.ts";
import { shortcutFile } from "../../../domain/tool-files/shortcut.ts";
import { KEY_PLACEHOLDER } from "../../../domain/tool-files/tool-file.ts";
import { uppyFile } from "../../../domain/tool-files/uppy.ts";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { saveFile } from "../../design/save-file.ts";
import { type Tab, Tabs } from "../../design/tabs.tsx";
import { type ConfigFile, toConfigFile, toPicGo, toShareX } from "./config-files.ts";
import styles from "./key-tools.module.css";
import { toSnippets } from "./snippets.ts";

/** Those without a tab of their own. */
const OTHERS = [
  {
    title: "Download shell script",
    file: scriptFile,
    hint: "For Flameshot, ksnip, Spectacle and Typora, or any shell.",
  },
  {
    title: "Download steps of a shortcut",
    file: shortcutFile,
    hint: "For an iPhone, iPad or Mac: they make a shortcut that uploads from the share sheet.",
  },
  {
    title: "Download page with a form",
    file: htmlFile,
    hint: "It works from the disk. Whoever has the page has the key.",
  },
  {
    title: "Download module for Uppy",
    file: uppyFile,
    hint: "For a page of your own, with large files in pieces. Whoever opens the page can read the key.",
  },
] as const;

interface KeyToolsProps {
  /** Without it a placeholder stands in its place, and there are no files: they would not work. */
  readonly secret?: string;
  /** Stands in the place of ShareX's file where there is no key to put into it. */
  readonly shareX?: Tab["content"];
}

/** Ways to upload from elsewhere, ready to be pasted or opened. */
export function KeyTools({ secret, shareX }: KeyToolsProps) {
  const input = { baseUrl: location.origin, key: secret ?? KEY_PLACEHOLDER };
  const tabs: Tab[] = toSnippets(input).map(({ id, title, hint, text }) => ({
    ...{ id, title },
    content: (
      <div className={styles.panel}>
        <CodeBlock code={text} label={title} />
        <p className={styles.hint}>{hint}</p>
      </div>
    ),
  }));
  const files =
    secret === undefined
      ? shareX
      : ((
          <div className={styles.panel}>
            <p className={styles.hint}>
              Opening the file in ShareX sets it up: screenshots go up and their link is on the clipboard. The file
              holds the key, so treat it as one.
            </p>
            <SaveButton title="Download ShareX file" file={toShareX(input)} />
          </div>
        ) satisfies Tab["content"]);
  tabs.splice(3, 0, { id: "sharex", title: "ShareX", content: files });
  if (secret !== undefined) {
    tabs.push({
      ...{ id: "picgo", title: "PicGo" },
      content: (
        <div className={styles.panel}>
          <p className={styles.hint}>
            For PicGo with the plugin web-uploader, and PicList; through them Obsidian and Typora. The file holds the
            key.
          </p>
          <SaveButton title="Download PicGo configuration" file={toPicGo(input)} />
        </div>
      ),
    });
    tabs.push({
      ...{ id: "others", title: "Others" },
      content: (
        <div className={styles.panel}>
          {OTHERS.map(({ title, file, hint }) => (
            <div key={file.name} className={styles.panel}>
              <p className={styles.hint}>{hint}</p>
              <SaveButton title={title} file={toConfigFile(file, input)} />
            </div>
          ))}
        </div>
      ),
    });
  }
  return <Tabs label="Ways to upload" tabs={tabs} />;
}

function SaveButton({ title, file }: { readonly title: string; readonly file: ConfigFile }) {
  return (
    <div>
      <Button icon={Download} onClick={() => saveFile(file.filename, [file.text], file.mimeType)}>
        {title}
      </Button>
    </div>
  );
}
