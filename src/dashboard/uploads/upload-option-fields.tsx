import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { readTags } from "../../domain/tags.ts";
import { folderOptions } from "../api/folder-path.ts";
import { foldersQuery } from "../api/queries/folders.ts";
import { Checkbox } from "../design/checkbox.tsx";
import { type Expiry, toExpiresAt } from "../design/expiry.ts";
import { ExpiryFields } from "../design/expiry-fields.tsx";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";
import { Select } from "../design/select.tsx";

const COMPRESSION = [
  { value: "", title: "As in Settings" },
  { value: "true", title: "Compress images" },
  { value: "false", title: "Keep the original quality" },
];

/** The options of an upload or an import, as the API has them. */
interface ChosenOptions {
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: string[];
  readonly visibility?: "private";
  readonly expiresAt?: string;
  readonly compress?: boolean;
}

/**
 * The fields that ask for the folder, the tags and the other options of one upload.
 * @param shownId the shown folder, which is chosen at first
 * @returns the fields, and the chosen options; undefined if a field has a problem
 */
export function useUploadOptions(shownId: string | null): {
  readonly fields: ReactNode;
  readonly options: ChosenOptions | undefined;
} {
  const { data: folders, error, refetch } = useQuery(foldersQuery);
  const [folderId, setFolderId] = useState(shownId ?? "");
  const [text, setText] = useState("");
  const [isPrivate, setPrivate] = useState(false);
  const [compression, setCompression] = useState("");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [day, setDay] = useState("");
  const { tags, problem } = readTags(text.split(","));
  // A repeated import must have the same time to be recognised.
  const expiresAt = useMemo(
    () => (expiry === "date" && day === "" ? null : toExpiresAt(expiry, day, Date.now())),
    [expiry, day],
  );
  const options = {
    folderId: folderId === "" ? null : folderId,
    tags,
    ...(isPrivate && { visibility: "private" as const }),
    ...(expiresAt !== null && { expiresAt }),
    ...(compression !== "" && { compress: compression === "true" }),
  };
  const fields = (
    <>
      <Select
        label="Folder"
        name="folder"
        options={folderOptions(folders ?? [], "Root")}
        value={folderId}
        onChange={setFolderId}
      />
      {error !== null && folders === undefined && (
        <Problem error={error} title="The folders could not be loaded" onRetry={() => void refetch()} />
      )}
      <Field
        label="Tags"
        name="tags"
        hint="Separated by commas"
        autoComplete="off"
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select
        label="Compression"
        name="compression"
        options={COMPRESSION}
        value={compression}
        onChange={setCompression}
      />
      <ExpiryFields<never>
        label="Delete"
        value={expiry}
        onChange={setExpiry}
        day={day}
        onDay={setDay}
        error={undefined}
      />
      <Checkbox
        name="private"
        label="Private"
        hint="Only signed links open the files."
        checked={isPrivate}
        onChange={(event) => setPrivate(event.currentTarget.checked)}
      />
    </>
  );
  return { fields, options: problem === undefined ? options : undefined };
}
