import { useQuery } from "@tanstack/react-query";
import { folderPaths } from "../../api/folder-path.ts";
import { foldersQuery } from "../../api/queries/folders.ts";
import styles from "./api-keys.module.css";

/** The folder that a key is confined to. @param id null if the key is not confined */
export function KeyFolder({ id }: { readonly id: string | null }) {
  // The folder may be newer than the cached list.
  const { data: folders, isFetching } = useQuery({ ...foldersQuery, staleTime: 0 });
  if (id === null) return <span className={styles.never}>All</span>;
  if (folders === undefined) return null;
  const path = folderPaths(folders)(id).join(" / ");
  if (path === "" && isFetching) return null;
  if (path === "") {
    return (
      <span className={styles.lost} title="The folder was deleted. The key reaches nothing.">
        Deleted
      </span>
    );
  }
  return (
    <span className={styles.folder} title={path}>
      {path}
    </span>
  );
}
