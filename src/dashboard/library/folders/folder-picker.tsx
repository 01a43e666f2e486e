import FolderIcon from "lucide-react/icons/folder";
import House from "lucide-react/icons/house";
import { type KeyboardEvent, useId, useState } from "react";
import type { Folder } from "../../../client/index.ts";
import { Button } from "../../design/button.tsx";
import { describeError } from "../../design/describe-error.ts";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/field.tsx";
import { hasWords } from "../../design/has-words.ts";
import { allNodes, pathTo, toTree } from "./folder-nodes.ts";
import styles from "./folder-picker.module.css";

interface FolderPickerProps {
  readonly open: boolean;
  readonly onOpenChange: () => void;
  readonly title: string;
  readonly description?: string | undefined;
  readonly folders: readonly Folder[];
  /** The reason why a folder (null is Root) cannot be chosen. */
  readonly whyNot?: (folderId: string | null) => string | undefined;
  readonly onPick: (folderId: string | null) => unknown;
}

interface Option {
  readonly id: string | null;
  readonly name: string;
  readonly above: string;
  readonly depth: number;
}

/** Asks for a folder in a tree that typing narrows. The arrow keys move the choice while the field has the focus. */
export function FolderPicker({ open, onOpenChange, title, description, folders, whyNot, onPick }: FolderPickerProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [error, setError] = useState<string>();
  const found = toOptions(folders).filter(({ name }) => hasWords(name, text));
  const options = found.map((option) => ({ ...option, problem: whyNot?.(option.id) }));
  const chosen = Math.min(at, options.length - 1);

  const pick = async (index: number) => {
    const option = options[index];
    if (option === undefined || option.problem !== undefined) return setError(option?.problem);
    try {
      await onPick(option.id);
      onOpenChange();
    } catch (thrown) {
      setError(describeError(thrown).message);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setAt(Math.min(options.length - 1, Math.max(0, chosen + by)));
    else if (event.key === "Enter") void pick(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onOpenChange}>Cancel</Button>
          <Button tone="main" onClick={() => void pick(chosen)}>
            Move here
          </Button>
        </>
      }
    >
      <Field
        label="Find a folder"
        name="folder"
        role="combobox"
        value={text}
        autoComplete="off"
        error={error}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={options.length > 0 ? `${id}-${chosen}` : undefined}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setError(undefined);
        }}
      />
      <div id={id} role="listbox" aria-label="Folders" className={styles.list}>
        {options.map(({ id: folderId, name, above, depth, problem }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={folderId ?? "root"}
            id={`${id}-${index}`}
            role="option"
            className={styles.option}
            style={{ paddingInlineStart: text === "" ? 8 + depth * 18 : 8 }}
            aria-selected={index === chosen}
            aria-disabled={problem !== undefined || undefined}
            title={problem}
            ref={index === chosen ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
            onClick={() => setAt(index)}
            onDoubleClick={() => void pick(index)}
          >
            {folderId === null ? <House size={16} aria-hidden="true" /> : <FolderIcon size={16} aria-hidden="true" />}
            <span className={styles.name}>{name}</span>
            {text !== "" && above !== "" && <span className={styles.above}>{above}</span>}
          </div>
        ))}
        {options.length === 0 && <p className={styles.none}>No folders match</p>}
      </div>
    </Dialog>
  );
}

function toOptions(folders: readonly Folder[]): Option[] {
  const below = allNodes(toTree(folders)).map(({ folder, depth }) => ({
    id: folder._id,
    name: folder.name,
    above: pathTo(folders, folder.parentId)
      .map(({ name }) => name)
      .join(" / "),
    depth,
  }));
  return [{ id: null, name: "Root", above: "", depth: 0 }, ...below];
}
