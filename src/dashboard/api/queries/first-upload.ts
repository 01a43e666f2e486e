import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../client.ts";

/** Uploads one file, before there is a library to drop it into. */
export function useFirstUpload() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => api.upload(file),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "account" }),
  });
}
