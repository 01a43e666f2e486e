import ImagePlus from "lucide-react/icons/image-plus";
import Images from "lucide-react/icons/images";
import { useEffect, useRef, useState } from "react";
import { type PreviewSource, useCompressionPreview, useNewestPhoto } from "../api/queries/compression-preview.ts";
import { Button } from "../design/button.tsx";
import { formatBytes } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Compare } from "./compare.tsx";
import styles from "./compression-preview.module.css";
import { savingInWords } from "./quality.ts";
import { useObjectUrl } from "./use-object-url.ts";

/** As the service has it: a larger image is stored as uploaded. */
const LARGEST_BYTES = 32 * 1024 * 1024;
const SETTLED_MS = 400;

interface CompressionPreviewProps {
  /** The quality that is chosen; undefined while none is. */
  readonly quality: number | undefined;
}

/** What a quality makes of a photo of one's own, side by side. Nothing is stored. */
export function CompressionPreview({ quality }: CompressionPreviewProps) {
  const [source, setSource] = useState<PreviewSource>();
  const chooser = useRef<HTMLInputElement>(null);
  const newest = useNewestPhoto();
  const settled = useSettled(quality);
  const { data, error, isFetching, refetch } = useCompressionPreview(source, settled);
  const isBusy = isFetching || (source !== undefined && settled !== quality);
  const own = useObjectUrl(source?.file);
  const after = useObjectUrl(data?.image);
  const before = own ?? source?.viewUrl;
  const isTooLarge = source?.file !== undefined && source.file.size > LARGEST_BYTES;
  const saving = data && savingInWords(data.originalBytes, data.image.size);
  return (
    <div className={styles.preview}>
      <div className={styles.row}>
        <Button icon={ImagePlus} onClick={() => chooser.current?.click()}>
          Try it on a photo
        </Button>
        <Button
          tone="quiet"
          icon={Images}
          busy={newest.isPending}
          onClick={() => newest.mutate(undefined, { onSuccess: (found) => found !== undefined && setSource(found) })}
        >
          The newest of the library
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          accept="image/jpeg,image/png,image/webp,image/gif"
          aria-label="Photo to try"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file !== undefined) setSource({ id: `${file.name}-${file.size}-${file.lastModified}`, file });
            event.currentTarget.value = "";
          }}
        />
        <span role="status" className={styles.sizes}>
          {isBusy && "Compressing"}
          {!isBusy && data !== undefined && (
            <>
              {formatBytes(data.originalBytes)} → {formatBytes(data.image.size)} at {settled}
              {saving === undefined ? ", kept as it is: it would not get smaller" : `, ${saving}`}
            </>
          )}
          {newest.isSuccess && newest.data === undefined && "There is no image in the library."}
        </span>
      </div>
      {isTooLarge && <p className={styles.sizes}>Images over 32 MB are stored as uploaded.</p>}
      {error !== null && !isTooLarge && (
        <Problem error={error} title="It could not be compressed" onRetry={() => void refetch()} />
      )}
      {before !== undefined && error === null && <Compare before={before} after={after} />}
    </div>
  );
}

/** A value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
