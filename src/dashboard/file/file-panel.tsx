import type { Ref } from "react";
import { useSettings } from "../api/queries/settings.ts";
import { CopyButton } from "../design/copy-button.tsx";
import { COPY_FORMATS, COPY_TITLES, hasSizes, toCopied } from "./copy-formats.ts";
import type { FileFacts, FilePatch } from "./file-facts.ts";
import styles from "./file-panel.module.css";
import { InfoList } from "./info-list.tsx";
import { Tags } from "./tags.tsx";

interface FilePanelProps {
  readonly file: FileFacts;
  readonly change: (file: FileFacts, patch: FilePatch) => Promise<void>;
  readonly onMove: ((file: FileFacts) => void) | undefined;
  readonly tagField: Ref<HTMLInputElement>;
}

export function FilePanel({ file, change, onMove, tagField }: FilePanelProps) {
  const { data: settings } = useSettings();
  const copied = { ...file, name: file.prompt };
  // Pages of strangers would show no image if the owner refuses its sizes.
  const isSized = hasSizes(file) && (settings?.variants ?? "open") === "open";
  const formats = COPY_FORMATS.filter((format) => format !== "url" && (format !== "srcset" || isSized));
  return (
    <div className={styles.panel}>
      <div className={styles.copy}>
        <CopyButton text={file.url} label="Copy link" tone="main" size="large" className={styles.copyLink} />
        <div className={formats.length > 3 ? styles.manyFormats : styles.formats}>
          {formats.map((format) => (
            <CopyButton key={format} text={toCopied(copied, format)} label={COPY_TITLES[format]} />
          ))}
        </div>
        <code className={styles.address}>{file.url}</code>
      </div>
      <InfoList file={file} onMove={onMove} />
      <section>
        <h2 className={styles.section}>Tags</h2>
        <Tags
          tags={file.tags}
          fieldRef={tagField}
          onAdd={(tag) => void change(file, { addTags: [tag] })}
          onRemove={(tag) => void change(file, { removeTags: [tag] })}
        />
      </section>
    </div>
  );
}
