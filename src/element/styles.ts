/**
 * Every length and colour that a page may want to change is a variable. The inner names are unusual, so that a page can set
 * `--media-upload-accent: var(--accent)` without a cycle. The colour scheme is the page's: a light page may be seen on a dark system.
 */
export const STYLES = `
:host {
  display: block;
  font: inherit;
  color: var(--media-upload-color, inherit);
  --own-accent: var(--media-upload-accent, light-dark(#0b5fff, #7aa7ff));
  --own-border: var(--media-upload-border, light-dark(#757b85, #8b919c));
  --own-error: var(--media-upload-error, light-dark(#b3261e, #ffb4ab));
  --own-radius: var(--media-upload-radius, 8px);
}
:host([hidden]) { display: none; }
[part=drop] {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 8px;
  padding: var(--media-upload-padding, 20px); text-align: center;
  border: 2px dashed var(--own-border); border-radius: var(--own-radius);
}
[part=drop].over { border-color: var(--own-accent); border-style: solid; }
:host(:disabled) [part=drop], :host([disabled]) [part=drop] { opacity: 0.6; }
button {
  font: inherit; color: inherit; cursor: pointer; min-height: 32px; padding: 4px 12px;
  background: transparent; border: 1px solid var(--own-border); border-radius: var(--own-radius);
}
button:disabled { cursor: default; }
[part=button] { color: light-dark(#fff, #000); background: var(--own-accent); border-color: transparent; }
button:focus-visible { outline: 3px solid var(--own-accent); outline-offset: 2px; }
input { display: none; }
ul { list-style: none; margin: 12px 0 0; padding: 0; display: grid; gap: 8px; }
ul:empty { display: none; }
li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; align-items: center; }
[part=name] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
[part=status] { grid-column: 1; font-size: 0.875em; }
[part=actions] { grid-column: 2; grid-row: 1 / span 3; display: flex; gap: 8px; }
li.failed [part=status] { color: var(--own-error); }
progress { grid-column: 1; width: 100%; height: 6px; accent-color: var(--own-accent); }
@media (pointer: coarse) { button { min-height: 44px; } }
/* No file can be dropped by a finger. */
@media (any-hover: none) { slot > * { display: none; } }
[part=live] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
