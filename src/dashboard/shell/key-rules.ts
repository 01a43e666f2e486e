const FIELDS =
  "input:not([type='checkbox'], [type='radio'], [type='range'], [type='button']), textarea, select, [contenteditable]";
const OVERLAYS = "[role='dialog'], [role='alertdialog'], [role='menu'], [role='listbox']";

/** Whether keys are of single presses: they are letters in a field. */
export function isSingle(keys: string): boolean {
  return !/\$mod|Control|Meta|Alt/.test(keys);
}

/** Keys as tinykeys wants them: signs are typed with Shift on some keyboards, and without it on others. */
export function toBinding(keys: string): string {
  return keys
    .split(" ")
    .map((press) => (press.length === 1 && !/[a-z0-9]/i.test(press) ? `[Shift]+${press}` : press))
    .join(" ");
}

/** Whether a key is somebody else's: single letters are a field's, and all are an open dialog's or menu's. */
export function isTaken(target: EventTarget | null, keys: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(OVERLAYS) !== null) return true;
  return isSingle(keys) && target.closest(FIELDS) !== null;
}
