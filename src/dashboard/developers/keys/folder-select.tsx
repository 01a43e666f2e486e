import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { folderOptions } from "../../api/folder-path.ts";
import { foldersQuery } from "../../api/queries/folders.ts";
import { Problem } from "../../design/problem.tsx";
import { Select } from "../../design/select.tsx";
import styles from "./new-key-form.module.css";

interface FolderSelectProps {
  /** Null: all folders. */
  readonly value: string | null;
  readonly onChange: (folderId: string | null) => void;
  /** The meaning of a chosen folder. */
  readonly hint: string;
}

/** Asks for the folder that a key or token is confined to. */
export function FolderSelect({ value, onChange, hint }: FolderSelectProps) {
  const { data: folders, error, refetch } = useQuery(foldersQuery);
  const options = useMemo(() => folderOptions(folders ?? [], "All folders"), [folders]);
  return (
    <div className={styles.choice}>
      <Select
        label="Folder"
        name="folder"
        className={styles.wide}
        options={options}
        value={value ?? ""}
        onChange={(id) => onChange(id === "" ? null : id)}
      />
      {error !== null && folders === undefined && (
        <Problem error={error} title="The folders could not be loaded" onRetry={() => void refetch()} />
      )}
      {value !== null && (
        <p className={styles.hint} role="status">
          {hint}
        </p>
      )}
    </div>
  );
}
