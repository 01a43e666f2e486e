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
import { toSnippets } from "./to-snippets.ts";

/** Files that share the tab "Others". */
const OTHERS = [
  {
    title: "Download shell script",
    file: scriptFile,
    hint: "A script for Flameshot, ksnip, Spectacle and Typora, or any shell.",
  },
  {
    title: "Download shortcut steps",
    file: shortcutFile,
    hint: "Steps to make a shortcut for iPhone, iPad and Mac that uploads from the share sheet.",
  },
  {
    title: "Download upload form",
    file: htmlFile,
    hint: "An HTML page with an upload form that works from your disk. It contains the key, so do not share it.",
  },
  {
    title: "Download Uppy module",
    file: uppyFile,
    hint: "A module for your own page, with resumable uploads of large files. All visitors of the page can read the key.",
  },
] as const;

interface KeyToolsProps {
  /** The key. If it is missing, code contains a placeholder, and there are no files, as they would not work. */
  readonly secret?: string;
  /** The content of the ShareX tab if there is no key. */
  readonly shareX?: Tab["content"];
}

/** Code to paste and files to open for uploads from other programs. */
export default function KeyTools({ secret, shareX }: KeyToolsProps) {
  const input = { baseUrl: location.origin, key: secret ?? KEY_PLACEHOLDER };
  const tabs: Tab[] = toSnippets(input).map(({ id, title, hint, files: code }) => ({
    id,
    title,
    content: (
      <div className={styles.panel}>
        {code.map(({ name, text }) => (
          <div key={name}>
            {code.length > 1 && <p className={styles.name}>{name}</p>}
            <CodeBlock code={text} label={name} />
          </div>
        ))}
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
              Open the file in ShareX to set it up: it uploads screenshots and copies their links. The file contains the
              key, so keep it secret.
            </p>
            <SaveButton title="Download ShareX file" file={toShareX(input)} />
          </div>
        ) satisfies Tab["content"]);
  tabs.splice(
    tabs.findIndex(({ id }) => id === "shell"),
    0,
    { id: "sharex", title: "ShareX", content: files },
  );
  if (secret !== undefined) {
    tabs.push({
      id: "picgo",
      title: "PicGo",
      content: (
        <div className={styles.panel}>
          <p className={styles.hint}>
            PicGo with the web-uploader plugin and PicList read this file. Obsidian and Typora can use both. The file
            contains the key.
          </p>
          <SaveButton title="Download PicGo configuration" file={toPicGo(input)} />
        </div>
      ),
    });
    tabs.push({
      id: "others",
      title: "Others",
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
