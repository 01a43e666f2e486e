const FIELDS =
  "input:not([type='checkbox'], [type='radio'], [type='range'], [type='button']), textarea, select, [contenteditable]";
/** A field selects its text and undoes typing by these shortcuts. */
const EDITING = ["$mod+a", "$mod+z"];
const OVERLAYS = "[role='dialog'], [role='alertdialog'], [role='menu'], [role='listbox']";

/** Whether a shortcut has no modifier but Shift, so that a text field would take it as text. */
export function isSingle(keys: string): boolean {
  return !/\$mod|Control|Meta|Alt/.test(keys);
}

/** A shortcut for tinykeys. Shift is optional for punctuation, because keyboard layouts differ. */
export function toBinding(keys: string): string {
  return keys
    .split(" ")
    .map((press) => (press.length === 1 && !/[a-z0-9]/i.test(press) ? `[Shift]+${press}` : press))
    .join(" ");
}

/** Whether another element handles a key: a field takes single keys and the shortcuts of editing, an open dialog or menu takes all keys. */
export function isTaken(target: EventTarget | null, keys: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(OVERLAYS) !== null) return true;
  return (isSingle(keys) || EDITING.includes(keys)) && target.closest(FIELDS) !== null;
}
