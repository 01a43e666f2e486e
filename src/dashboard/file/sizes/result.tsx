import type { PictureSize } from "../../../domain/variants/variant-geometry.ts";
import { formatBytes, formatCount } from "../../design/format.ts";
import { type FileFacts, isVideo } from "../file-facts.ts";
import type { Choice, Planned } from "./choice.ts";
import styles from "./result.module.css";
import { isBeforeChange, isUnknown, type MadeVariant } from "./use-variant.ts";

interface ResultProps {
  readonly file: FileFacts;
  /** Undefined while it is made. */
  readonly variant: MadeVariant | undefined;
  readonly choice: Choice;
  readonly planned: Planned;
  readonly presetSize: PictureSize | undefined;
  /** Whether the owner's setting serves the chosen variant. */
  readonly isServed: boolean;
  readonly isOffline: boolean;
  readonly error: Error | null;
}

const TYPES: Readonly<Record<string, string>> = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "image/avif": "AVIF",
  "image/gif": "GIF",
};

/** The variant's bytes beside the file's, its size and its format. */
export function Result(props: ResultProps) {
  const { file, variant, planned, isServed } = props;
  const note = noteOf(props);
  const { width, height } = variant?.size ?? planned.geometry.canvas;
  const size = `${formatCount(width)} × ${formatCount(height)}`;
  return (
    <div role="status" className={styles.result}>
      {!isServed && <p className={styles.bytes}>{size}</p>}
      {isServed && (
        <p className={styles.bytes}>
          {variant === undefined ? "–" : formatBytes(variant.image.size)}
          {variant !== undefined && !isVideo(file) && (
            <span>
              {shareOf(variant.image.size, file.fileSize)} % of the file's {formatBytes(file.fileSize)}
            </span>
          )}
        </p>
      )}
      {isServed && (
        <p>{variant === undefined ? size : `${size}, ${TYPES[variant.image.type] ?? variant.image.type}`}</p>
      )}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </div>
  );
}

function noteOf({ choice, planned, variant, presetSize, isServed, isOffline, error }: ResultProps): string | undefined {
  if (!isServed) return "Its bytes are known when your server asks for it.";
  if (isUnknown(error, presetSize)) return "The preset works within a minute.";
  if (error !== null) return "The service did not make this size.";
  if (isOffline) return "Offline. This size is made when the network is back.";
  if (variant === undefined) return "Making this size";
  if (isBeforeChange(variant, presetSize)) return "The preset's change takes effect within a minute.";
  if (variant.isSubstitute)
    return "This size is not made yet, so its URL shows this picture. AVIF takes some seconds. A file has at most 64 sizes.";
  if (variant.isFirstFrame) return "It shows the first frame of the animation.";
  return isRounded(choice, planned) ? "The service rounds sizes up. A preset has its exact size." : undefined;
}

/** Whether the variant is larger than the chosen size (VAR-2). */
function isRounded({ preset, width }: Choice, { variant, geometry }: Planned): boolean {
  return preset === undefined && width !== variant.width && geometry.canvas.width === variant.width;
}

function shareOf(bytes: number, of: number): string {
  const percent = (100 * bytes) / Math.max(1, of);
  return percent < 1 ? percent.toFixed(1) : formatCount(Math.round(percent));
}
