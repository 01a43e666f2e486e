/** The style of the elements that the script adds. The viewer looks like the dashboard's file view (`dashboard/file`), dark in both themes. */
export const VIEWER_STYLE = `
.is-viewing { overflow: hidden; }
.hidden-text { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.tool { display: grid; place-items: center; flex: none; inline-size: 40px; block-size: 40px; padding: 0; border: 0; border-radius: 8px; background: transparent; color: var(--ink-soft); }
.tool:hover { background: color-mix(in oklch, var(--ink) 8%, transparent); color: var(--ink); }
.actions .tool { background: var(--surface); box-shadow: inset 0 0 0 1px var(--line); }
.actions .tool:hover { background: var(--sunken); }
.tool[hidden] { display: none; }
.button:disabled { opacity: 0.55; cursor: default; }
.is-gone { opacity: 0.4; }

.viewer { position: fixed; inset: 0; inline-size: 100%; block-size: 100%; max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 0; overflow: hidden; background: oklch(0.11 0.005 255); color: oklch(0.95 0.004 255); }
.viewer[open] { animation: appear 180ms cubic-bezier(0.2, 0.8, 0.2, 1); }
@keyframes appear { from { opacity: 0; } }
.viewer::backdrop { background: oklch(0.11 0.005 255); }
.stage { position: relative; display: flex; flex-direction: column; block-size: 100%; padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left); }
.stage:focus-visible { outline: none; }
.viewer :focus-visible { outline-color: oklch(0.72 0.135 258); }
.viewer-bar { display: flex; align-items: center; gap: 4px; min-block-size: 60px; padding: 8px 12px 8px 10px; }
.viewer-name { min-inline-size: 0; margin: 0; overflow: hidden; padding-inline-start: 4px; font-weight: 600; font-size: 0.9375rem; line-height: 1.25rem; text-overflow: ellipsis; white-space: nowrap; }
.viewer-position { flex: none; padding-inline: 8px; color: oklch(0.72 0.01 255); font-weight: 500; font-size: 0.8125rem; }
.viewer-tools { display: flex; gap: 4px; margin-inline-start: auto; }
.viewer .tool { color: oklch(0.9 0.004 255); }
.viewer .tool:hover { background: oklch(1 0 0 / 0.14); color: white; }

.frame { position: relative; flex: 1; min-block-size: 0; margin: 8px 72px; overflow: hidden; cursor: zoom-in; touch-action: none; user-select: none; }
.frame:has(.video, .problem) { cursor: auto; touch-action: pan-y; }
.frame.is-close { cursor: grab; }
.frame.is-close:active { cursor: grabbing; }
.frame[aria-busy]::after { content: ""; position: absolute; inset-block-end: 12px; inset-inline-start: calc(50% - 12px); inline-size: 24px; block-size: 24px; border: 3px solid oklch(1 0 0 / 0.9); border-inline-end-color: transparent; border-radius: 50%; opacity: 0; animation: turn 0.8s linear infinite, come 0s 400ms forwards; pointer-events: none; }
@keyframes turn { to { rotate: 1turn; } }
@keyframes come { to { opacity: 1; } }
.picture { position: absolute; inset-block-start: 50%; inset-inline-start: 50%; transform-origin: 0 0; }
.picture img { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; -webkit-user-drag: none; }
.checked { background: repeating-conic-gradient(oklch(0.36 0 0) 0% 25%, oklch(0.3 0 0) 0% 50%) 0 0 / 24px 24px; }
.video { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: contain; }
.problem { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 14px; padding: 24px; text-align: center; text-wrap: balance; color: oklch(0.9 0.004 255); }
.problem svg { inline-size: 32px; block-size: 32px; color: oklch(0.72 0.01 255); }
.problem p { max-inline-size: 26rem; }
.viewer-button { display: grid; place-items: center; min-block-size: 40px; padding-inline: 16px; text-decoration: none; border: 0; border-radius: 8px; background: oklch(1 0 0 / 0.14); color: white; font-weight: 600; }

.viewer .step { position: absolute; inset-block-start: 50%; z-index: 1; inline-size: 44px; block-size: 44px; border-radius: 50%; background: oklch(0.28 0.006 255 / 0.82); color: white; translate: 0 -50%; }
.viewer .step:hover { background: oklch(0.4 0.006 255); }
.step:disabled { visibility: hidden; }
.step svg { inline-size: 22px; block-size: 22px; }
.previous { inset-inline-start: 14px; }
.next { inset-inline-end: 14px; }

.strip { display: flex; justify-content: center; gap: 6px; padding: 8px 16px 14px; }
.strip[hidden] { display: none; }
.strip button { flex: none; inline-size: 54px; block-size: 54px; overflow: hidden; padding: 0; border: 0; border-radius: 6px; background: oklch(0.22 0.006 255); opacity: 0.72; }
.strip button:hover { opacity: 1; }
.strip [aria-current] { outline: 2px solid white; outline-offset: 2px; opacity: 1; }
.strip :focus-visible { outline: 2px solid oklch(0.72 0.135 258); outline-offset: 2px; opacity: 1; }
.strip img { display: block; inline-size: 100%; block-size: 100%; object-fit: cover; }

.zip-panel { position: fixed; inset-block-end: max(16px, env(safe-area-inset-bottom)); inset-inline-end: 16px; z-index: 1; display: flex; flex-wrap: wrap-reverse; align-items: center; gap: 12px; inline-size: min(24rem, calc(100% - 32px)); padding: 14px 10px 14px 18px; border-radius: 14px; background: var(--raised); box-shadow: inset 0 0 0 1px var(--line), 0 1px 2px oklch(0.15 0.01 255 / 0.08), 0 8px 28px oklch(0.15 0.01 255 / 0.22); animation: appear 180ms; }
.zip-facts { flex: 1 1 12rem; min-inline-size: 0; display: grid; gap: 6px; overflow-wrap: anywhere; }
.zip-said { font-weight: 600; }
.zip-text { color: var(--ink-soft); font-size: 0.8125rem; }
progress { appearance: none; inline-size: 100%; block-size: 6px; border: 0; border-radius: 3px; overflow: hidden; background: var(--sunken); }
progress::-webkit-progress-bar { background: var(--sunken); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }

@media (pointer: coarse) { .tool { inline-size: 44px; block-size: 44px; } }
@media (max-width: 719px) {
  .viewer-bar { gap: 0; padding-inline: 4px; }
  .viewer-tools { gap: 0; }
  .viewer-position { padding-inline: 6px; }
  .frame { margin: 0; }
  .previous { inset-inline-start: 8px; }
  .next { inset-inline-end: 8px; }
}
@media (max-width: 719px), (max-height: 560px) { .strip { display: none; } }
@media (max-height: 420px) { .viewer-bar { min-block-size: 0; padding-block: 2px; } .frame { margin-block: 0; } }
@media (max-width: 360px) { .viewer-position { display: none; } }
@media (prefers-reduced-motion: reduce) { .viewer[open], .zip-panel { animation: none; } }
@media (forced-colors: active) { .tool, .viewer-button, .zip-panel { border: 1px solid ButtonText; } }
`;
