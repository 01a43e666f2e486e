import Copy from "lucide-react/icons/copy";
import Crop from "lucide-react/icons/crop";
import Lock from "lucide-react/icons/lock";
import type { Ref } from "react";
import { useSettings } from "../api/queries/settings.ts";
import { Button } from "../design/button.tsx";
import { CopyButton } from "../design/copy-button.tsx";
import { Menu } from "../design/menu.tsx";
import { COPY_FORMATS, COPY_TITLES, hasSizes, toCopied } from "./copy-formats.ts";
import { type FileChange, type FileFacts, isVideo } from "./file-facts.ts";
import styles from "./file-panel.module.css";
import { hasVariants } from "./has-variants.ts";
import { History } from "./history.tsx";
import { InfoList } from "./info-list.tsx";
import { OwnFacts } from "./own-facts.tsx";
import { ReplaceFile } from "./replace-file.tsx";
import { copyLink, isPrivate, LINK_AGES } from "./signed-link.ts";
import { Tags } from "./tags.tsx";

interface FilePanelProps {
  readonly file: FileFacts;
  readonly change: FileChange;
  readonly onMove: ((file: FileFacts) => void) | undefined;
  readonly tagField: Ref<HTMLInputElement>;
  readonly onReplaced: (() => void) | undefined;
  /** Opens the panel of sizes. */
  readonly onUse: () => void;
}

export function FilePanel({ file, change, onMove, tagField, onReplaced, onUse }: FilePanelProps) {
  const { data: settings } = useSettings();
  const copied = { ...file, name: file.prompt };
  // Pages of strangers would show no image if the owner refuses its sizes.
  const isSized = hasSizes(file) && (settings?.variants ?? "open") === "open";
  const formats = COPY_FORMATS.filter((format) => format !== "url" && (format !== "srcset" || isSized));
  return (
    <div className={styles.panel}>
      <div className={styles.copy}>
        {isPrivate(file) ? (
          <PrivateLink file={file} />
        ) : (
          <>
            <CopyButton text={file.url} label="Copy link" tone="main" size="large" className={styles.copyLink} />
            <div className={formats.length > 3 ? styles.manyFormats : styles.formats}>
              {formats.map((format) => (
                <CopyButton key={format} text={toCopied(copied, format)} label={COPY_TITLES[format]} />
              ))}
            </div>
            <code className={styles.address}>{file.url}</code>
          </>
        )}
        {hasVariants(file) && (
          <Button icon={Crop} onClick={onUse}>
            {isVideo(file) ? "Use a picture of it" : "Use this picture"}
          </Button>
        )}
      </div>
      <InfoList file={file} onMove={onMove} onReplaced={onReplaced} metadata={settings?.metadata} />
      <section>
        <h2 className={styles.section}>Tags</h2>
        <Tags
          tags={file.tags}
          fieldRef={tagField}
          onAdd={(tag) => void change(file, { addTags: [tag] })}
          onRemove={(tag) => void change(file, { removeTags: [tag] })}
        />
      </section>
      <OwnFacts key={file._id} file={file} change={change} />
      <History key={`history ${file._id}`} id={file._id} />
      {file.status === "active" && file.takedown === undefined && <ReplaceFile file={file} onReplaced={onReplaced} />}
    </div>
  );
}

/** A private file opens by links that end. */
function PrivateLink({ file }: Pick<FilePanelProps, "file">) {
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button tone="main" size="large" icon={Copy} className={styles.copyLink}>
            Copy link
          </Button>
        }
        items={LINK_AGES.map((age) => ({
          id: age.title,
          title: `For ${age.title}`,
          onSelect: () => void copyLink(file, age),
        }))}
      />
      <p className={styles.private}>
        <Lock size={14} aria-hidden /> Private: a copied link opens this file until its time is over.
      </p>
    </>
  );
}
