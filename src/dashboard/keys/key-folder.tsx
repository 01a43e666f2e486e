import { useQuery } from "@tanstack/react-query";
import { folderPaths } from "../api/folder-path.ts";
import { foldersQuery } from "../api/queries/folders.ts";
import styles from "./api-keys.module.css";

/** The folder that a key is confined to. @param id null if the key is not confined */
export function KeyFolder({ id }: { readonly id: string | null }) {
  const { data: folders } = useQuery(foldersQuery);
  if (id === null) return <span className={styles.never}>All</span>;
  if (folders === undefined) return null;
  const path = folderPaths(folders)(id).join(" / ");
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
