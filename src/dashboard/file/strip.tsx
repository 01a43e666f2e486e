import Film from "lucide-react/icons/film";
import Image from "lucide-react/icons/image";
import { type FileFacts, isVideo } from "./file-facts.ts";
import styles from "./strip.module.css";

interface StripProps {
  readonly files: readonly (FileFacts | undefined)[];
  readonly id: string;
  readonly onOpen: (id: string) => void;
}

/** The files around the one that is shown. */
export function Strip({ files, id, onOpen }: StripProps) {
  return (
    <nav className={styles.strip} aria-label="Files around it">
      {files.map((file) => {
        if (file === undefined) return null;
        const { _id, prompt, previewUrl, thumbnailUrl } = file;
        const preview = previewUrl ?? thumbnailUrl;
        const Icon = isVideo(file) ? Film : Image;
        return (
          <button
            key={_id}
            type="button"
            className={styles.tile}
            aria-label={prompt}
            aria-current={_id === id || undefined}
            onClick={() => onOpen(_id)}
          >
            {preview ? <img src={preview} alt="" draggable={false} decoding="async" /> : <Icon size={20} aria-hidden />}
          </button>
        );
      })}
    </nav>
  );
}
