import { type SubmitEvent, useId, useRef } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import form from "../design/dialog-form.module.css";
import { useUploadOptions } from "./upload-option-fields.tsx";
import { uploads } from "./uploads-store.ts";

interface UploadOptionsDialogProps {
  /** The shown folder, which is chosen at first. */
  readonly shownId: string | null;
  readonly onClose: () => void;
}

/** Asks for the options of one upload, then for its files. */
export default function UploadOptionsDialog({ shownId, onClose }: UploadOptionsDialogProps) {
  const formId = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const { fields, options } = useUploadOptions(shownId);
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    if (options !== undefined) chooser.current?.click();
  };
  const add = (files: readonly File[]) => {
    if (files.length === 0 || options === undefined) return;
    uploads.add(files, options);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Upload options"
      description="The options apply to the files that you choose next."
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
        {fields}
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
