import ImagePlus from "lucide-react/icons/image-plus";
import Images from "lucide-react/icons/images";
import { Suspense, useRef, useState } from "react";
import { type PreviewSource, useCompressionPreview, useNewestPhoto } from "../api/queries/compression-preview.ts";
import { Button } from "../design/button.tsx";
import { formatBytes } from "../design/format.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { useObjectUrl } from "../design/use-object-url.ts";
import { useSettled } from "../design/use-settled.ts";
import styles from "./compression-preview.module.css";
import { savingInWords } from "./quality.ts";

const Compare = lazyPart(() => import("../design/compare.tsx"));

/** The service stores larger images as uploaded (COMP-6). */
const LARGEST_BYTES = 32 * 1024 * 1024;

interface CompressionPreviewProps {
  /** The selected quality; undefined while the input is invalid. */
  readonly quality: number | undefined;
}

/** Shows a photo of the user before and after compression at the selected quality. Nothing is stored. */
export default function CompressionPreview({ quality }: CompressionPreviewProps) {
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
          Newest photo in the library
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
              {saving === undefined ? ", stored as uploaded because it would not get smaller" : `, ${saving}`}
            </>
          )}
          {newest.isSuccess && newest.data === undefined && "There are no images in the library."}
        </span>
      </div>
      {isTooLarge && <p className={styles.sizes}>Images over 32 MB are stored as uploaded.</p>}
      {error !== null && !isTooLarge && (
        <Problem error={error} title="The photo could not be compressed" onRetry={() => void refetch()} />
      )}
      <Suspense fallback={null}>
        {before !== undefined && error === null && <Compare before={before} after={after} />}
      </Suspense>
    </div>
  );
}
