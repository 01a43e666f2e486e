import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { readTags } from "../../domain/tags.ts";
import { folderOptions } from "../api/folder-path.ts";
import { foldersQuery } from "../api/queries/folders.ts";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { Dialog } from "../design/dialog.tsx";
import form from "../design/dialog-form.module.css";
import { type Expiry, toExpiresAt } from "../design/expiry.ts";
import { ExpiryFields } from "../design/expiry-fields.tsx";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";
import { Select } from "../design/select.tsx";
import { uploads } from "./uploads-store.ts";

interface UploadOptionsDialogProps {
  /** The shown folder, which is chosen at first. */
  readonly shownId: string | null;
  readonly onClose: () => void;
}

const COMPRESSION = [
  { value: "", title: "As in Settings" },
  { value: "true", title: "Compress images" },
  { value: "false", title: "Keep the original quality" },
];

/** Asks for the options of one upload, then for its files. */
export default function UploadOptionsDialog({ shownId, onClose }: UploadOptionsDialogProps) {
  const formId = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const { data: folders, error, refetch } = useQuery(foldersQuery);
  const [folderId, setFolderId] = useState(shownId ?? "");
  const [text, setText] = useState("");
  const [isPrivate, setPrivate] = useState(false);
  const [compression, setCompression] = useState("");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [day, setDay] = useState("");
  const { tags, problem } = readTags(text.split(","));
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    if (problem === undefined) chooser.current?.click();
  };
  const add = (files: readonly File[]) => {
    if (files.length === 0) return;
    const expiresAt = toExpiresAt(expiry, day, Date.now());
    uploads.add(files, {
      folderId: folderId === "" ? null : folderId,
      tags,
      ...(isPrivate && { visibility: "private" as const }),
      ...(expiresAt !== null && { expiresAt }),
      ...(compression !== "" && { compress: compression === "true" }),
    });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Upload options"
      description="They hold for the files that you choose next."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} tone="main">
            Choose files
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={choose} className={form.form}>
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
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          accept="image/*,video/*,.avi,.mov"
          aria-label="Choose files for these options"
          onChange={({ currentTarget }) => add([...(currentTarget.files ?? [])])}
        />
      </form>
    </Dialog>
  );
}
