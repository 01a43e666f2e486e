import FolderIcon from "lucide-react/icons/folder";
import FolderPlus from "lucide-react/icons/folder-plus";
import House from "lucide-react/icons/house";
import { type KeyboardEvent, useId, useState } from "react";
import type { Folder } from "../../../client/index.ts";
import { useFolderChanges } from "../../api/queries/folders.ts";
import { Button } from "../../design/button.tsx";
import { describeError } from "../../design/describe-error.ts";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/field.tsx";
import { hasWords } from "../../design/has-words.ts";
import { reportGone } from "../../design/report-gone.ts";
import { allNodes, pathTo, toTree } from "./folder-nodes.ts";
import styles from "./folder-picker.module.css";
import { NameDialog } from "./name-dialog.tsx";

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

/** Asks for a folder in a tree that typing narrows, or for a new one. The arrow keys move the choice while the field has the focus. */
export function FolderPicker({ open, onOpenChange, title, description, folders, whyNot, onPick }: FolderPickerProps) {
  const id = useId();
  const [text, setText] = useState("");
  /** The folder's id, null for Root; undefined for the first option. */
  const [picked, setPicked] = useState<string | null>();
  const [error, setError] = useState<string>();
  const [isNaming, setNaming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { create } = useFolderChanges();
  const found = toOptions(folders).filter(({ name }) => hasWords(name, text));
  const options = found.map((option) => ({ ...option, problem: whyNot?.(option.id) }));
  const chosen = Math.max(
    0,
    options.findIndex((option) => option.id === picked),
  );

  const pick = async (option = options[chosen]) => {
    if (isBusy) return;
    if (option === undefined || option.problem !== undefined) return setError(option?.problem);
    setBusy(true);
    try {
      await onPick(option.id);
      onOpenChange();
    } catch (thrown) {
      if (reportGone(thrown)) onOpenChange();
      else setError(describeError(thrown).message);
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setPicked(options[Math.min(options.length - 1, Math.max(0, chosen + by))]?.id);
    else if (event.key === "Enter") void pick();
    else return;
    event.preventDefault();
  };
  if (isNaming) {
    const parent = options[chosen] ?? { id: null, name: "Root" };
    return (
      <NameDialog
        open={open}
        onOpenChange={() => setNaming(false)}
        title={`New folder in ${parent.name}`}
        action="Create"
        suggestion={options.length === 0 ? text : ""}
        onName={async (name) => {
          const made = await create.mutateAsync({ name, parentId: parent.id });
          setText("");
          setPicked(made._id);
          setError(undefined);
        }}
      />
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      footer={
        <>
          <Button className={styles.apart} icon={FolderPlus} onClick={() => setNaming(true)}>
            New folder
          </Button>
          <Button onClick={onOpenChange}>Cancel</Button>
          <Button tone="main" busy={isBusy} onClick={() => void pick()}>
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
          setPicked(undefined);
          setError(undefined);
        }}
      />
      <div id={id} role="listbox" aria-label="Folders" className={styles.list}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={option.id ?? "root"}
            id={`${id}-${index}`}
            role="option"
            className={styles.option}
            style={{ paddingInlineStart: text === "" ? 8 + option.depth * 18 : 8 }}
            aria-selected={index === chosen}
            aria-disabled={option.problem !== undefined || undefined}
            title={option.problem}
            ref={index === chosen ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
            onClick={() => setPicked(option.id)}
            onDoubleClick={() => void pick(option)}
          >
            {option.id === null ? <House size={16} aria-hidden="true" /> : <FolderIcon size={16} aria-hidden="true" />}
            <span className={styles.name}>{option.name}</span>
            {text !== "" && option.above !== "" && <span className={styles.above}>{option.above}</span>}
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
