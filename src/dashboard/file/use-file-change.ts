import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { describeError } from "../design/describe-error.ts";
import { toast } from "../design/toast.tsx";
import type { FileFacts, FilePatch } from "./file-facts.ts";

/** Changes a file for whoever has no view that does. */
async function changeHere({ _id }: FileFacts, { status, addTags, removeTags, favorite }: FilePatch): Promise<void> {
  if (status === "trash") await api.trash([_id]);
  else if (status === "active") await api.restore([_id]);
  else {
    const tags = { ...(addTags && { addTags: [...addTags] }), ...(removeTags && { removeTags: [...removeTags] }) };
    await api.updateAll({ ids: [_id], ...tags, ...(favorite !== undefined && { favorite }) });
  }
}

/**
 * Changes the file that is shown: at once, and back where the service refuses.
 * @param change of the view that the file is in, which shows it there, too
 */
export function useFileChange(change: ((file: FileFacts, patch: FilePatch) => Promise<void>) | undefined) {
  const queries = useQueryClient();
  return async (file: FileFacts, patch: FilePatch): Promise<void> => {
    const queryKey = ["image", file._id];
    queries.setQueryData<FileFacts>(queryKey, (shown) => patchFile(shown ?? file, patch));
    try {
      await (change ?? changeHere)(file, patch);
      if (change === undefined) {
        for (const key of ["images", "tags", "overview"]) void queries.invalidateQueries({ queryKey: [key] });
      }
    } catch (error) {
      queries.setQueryData<FileFacts>(queryKey, file);
      const { message } = describeError(error);
      toast({ tone: "danger", title: `${file.prompt} was not changed`, description: message });
    }
  };
}

export function patchFile(file: FileFacts, { status, favorite, addTags = [], removeTags = [] }: FilePatch): FileFacts {
  const kept = file.tags.filter((tag) => !removeTags.includes(tag));
  const tags = [...kept, ...addTags.filter((tag) => !kept.includes(tag))];
  return { ...file, tags, favorite: favorite ?? file.favorite, status: status ?? file.status };
}
