import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { UploadTokenRequest } from "../../../client/types.ts";
import { api } from "../client.ts";

const KEY = ["upload-tokens"];
const PAGE_SIZE = 50;

/** The account's upload tokens that have not expired, in pages, newest first. */
export function useUploadTokens() {
  return useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ signal, pageParam: cursor }) =>
      api.uploadTokens.list({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    staleTime: 5000,
    refetchOnWindowFocus: true,
  });
}

/** Creates an upload token. Only this response contains the secret. */
export function useCreateUploadToken() {
  return useTokenChange((body: UploadTokenRequest) => api.uploadTokens.create(body));
}

/** Revokes an upload token. Its stored files stay. */
export function useRevokeUploadToken() {
  return useTokenChange((id: string) => api.uploadTokens.revoke(id));
}

/** Refreshes tokens, files and figures after an upload with a token. */
export function useNoteTokenUpload(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const key of ["upload-tokens", "images", "overview"]) void queries.invalidateQueries({ queryKey: [key] });
  };
}

function useTokenChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) });
}
