import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { MediaHostError, type MediaObject } from "../../../client/index.ts";
import { previewCompression } from "../../../client/preview-compression.ts";
import { api, connection } from "../client.ts";

/** The photo to compress: a local file or a stored file. */
export interface PreviewSource {
  /** A stored file's id, or a unique text for a local file. */
  readonly id: string;
  readonly file?: File;
  readonly viewUrl?: string | undefined;
}

/** The photo as it would be stored at the quality. Loads only if both are given. */
export function useCompressionPreview(source: PreviewSource | undefined, quality: number | undefined) {
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
export function useNewestPhoto() {
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
