import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { MediaHostError, type MediaObject } from "../../../client/index.ts";
import { previewCompression } from "../../../client/preview-compression.ts";
import { api, connection } from "../client.ts";

/** A photo to try: a file of this device, or one that is stored. */
export interface PreviewSource {
  /** Tells one from another. */
  readonly id: string;
  readonly file?: File;
  readonly viewUrl?: string | undefined;
}

/** A photo as it would be stored at a quality. Not asked for without either. */
export function useCompressionPreview(source: PreviewSource | undefined, quality: number | undefined) {
  return useQuery({
    queryKey: ["compression-preview", source?.id, quality],
    queryFn: ({ signal }) => previewCompression(connection, source?.file ?? source?.id ?? "", quality, { signal }),
    enabled: source !== undefined && quality !== undefined,
    placeholderData: keepPreviousData,
    // The one before may still be under way: the service makes one at a time.
    retry: (failures, error) => failures < 5 && error instanceof MediaHostError && error.statusCode === 429,
    retryDelay: 1000,
    // Pictures of megabytes are not kept for later.
    gcTime: 0,
  });
}

/** The newest image that is stored; undefined where there is none. */
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
