import { useMutation, useQueryClient } from "@tanstack/react-query";
import { connection } from "../client.ts";

/** Uploads one file, before there is a library to drop it into. */
export function useFirstUpload() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => {
      const { upload } = await import("../../../client/upload.ts");
      return upload(connection, file);
    },
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "account" }),
  });
}
