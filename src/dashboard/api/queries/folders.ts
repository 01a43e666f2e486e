import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Folder, FolderChange, NewFolder } from "../../../client/index.ts";
import { api } from "../client.ts";
import { tellOtherTabs } from "../library-tabs.ts";

export const foldersQuery = queryOptions({
  queryKey: ["folders"],
  queryFn: ({ signal }) => api.folders.list({ signal }),
  staleTime: 60_000,
});

/** Creates, changes and deletes folders. An update is shown at once and undone if the service refuses it. */
export function useFolderChanges() {
  const client = useQueryClient();
  const refresh = () => {
    tellOtherTabs();
    return client.invalidateQueries({ queryKey: foldersQuery.queryKey });
  };
  const patch = (change: (folders: Folder[]) => Folder[]) => {
    const before = client.getQueryData(foldersQuery.queryKey);
    client.setQueryData(foldersQuery.queryKey, (folders) => folders && change(folders));
    return before;
  };
  const restore = (before: Folder[] | undefined) => client.setQueryData(foldersQuery.queryKey, before);

  const create = useMutation({
    mutationFn: (folder: NewFolder) => api.folders.create(folder),
    onSuccess: (made) => patch((folders) => [...folders, made]),
    onSettled: refresh,
  });
  const update = useMutation({
    mutationFn: ({ id, change }: { id: string; change: FolderChange }) => api.folders.update(id, change),
    onMutate: ({ id, change }) =>
      patch((folders) => folders.map((folder) => (folder._id === id ? { ...folder, ...change } : folder))),
    onError: (_error, _change, before) => restore(before),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.folders.delete(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["images"] }),
    onSettled: refresh,
  });
  return { create, update, remove };
}
