import type { z } from "@hono/zod-openapi";
import type { SelectionBody } from "../../contract/selection.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { MatchSelection } from "../../services/images/change-matches.ts";

type Selection = z.output<typeof SelectionBody>;

/** @param status the filter's status if the client gives none */
export function toMatchSelection(
  { filter = {}, exceptIds, cursor }: Omit<Selection, "ids">,
  status: UploadStatus,
): MatchSelection {
  const { folderId, q, minSize, maxSize, tags = [], excludeTags = [], ...others } = filter;
  return {
    filter: {
      ...others,
      status: filter.status ?? status,
      folderId: folderId === null ? "root" : folderId,
      search: q,
      minSizeBytes: minSize,
      maxSizeBytes: maxSize,
      tags,
      excludedTags: excludeTags,
    },
    exceptIds,
    cursor,
  };
}
