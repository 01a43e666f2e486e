import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import ImagePlus from "lucide-react/icons/image-plus";
import Images from "lucide-react/icons/images";
import { Suspense, useRef, useState } from "react";
import { MediaHostError, type MediaObject } from "../../client/index.ts";
import { previewCompression } from "../../client/preview-compression.ts";
import { api, connection } from "../api/client.ts";
import { Button } from "../design/button.tsx";
import { formatBytes } from "../design/format.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { useObjectUrl } from "../design/use-object-url.ts";
import { useSettled } from "../design/use-settled.ts";
import styles from "./compression-preview.module.css";
import { savingInWords } from "./quality.ts";

/** The photo to compress: a local file or a stored file. */
interface PreviewSource {
  /** A stored file's id, or a unique text for a local file. */
  readonly id: string;
  readonly file?: File;
  readonly viewUrl?: string | undefined;
}

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

/** The photo as it would be stored at the quality. Loads only if both are given. */
function useCompressionPreview(source: PreviewSource | undefined, quality: number | undefined) {
  return useQuery({
    queryKey: ["compression-preview", source?.id, quality],
    queryFn: ({ signal }) => previewCompression(connection, source?.file ?? source?.id ?? "", quality, { signal }),
    enabled: source !== undefined && quality !== undefined,
    placeholderData: keepPreviousData,
    // The service makes one preview at a time, and the previous preview may still be in progress.
    retry: (failures, error) => failures < 5 && error instanceof MediaHostError && error.code === "preview_in_progress",
    retryDelay: 1000,
    // Pictures take megabytes, so they are not cached.
    gcTime: 0,
  });
}

/** The newest stored image; undefined if there is none. */
function useNewestPhoto() {
  return useMutation({
    mutationFn: async (): Promise<PreviewSource | undefined> => {
      const { images } = await api.imagePage({ folderId: "all", mimePrefix: "image/", limit: 1 });
      const [first] = images;
      if (first === undefined) return undefined;
      const { _id, viewUrl, url }: MediaObject & { readonly viewUrl?: string } = await api.image(first._id);
      return { id: _id, viewUrl: viewUrl ?? url };
    },
  });
}
