/** The page's style. Its colours are the dashboard's (`dashboard/design/tokens.css`), which a test compares. The script brings its own style. */
export const SHARE_STYLE = `
@font-face { font-family: "Instrument Sans"; font-weight: 400 700; font-display: swap; src: url("/share-page/instrument-sans.woff2") format("woff2"); }
@font-face { font-family: "Instrument Sans Fallback"; src: local("Arial"), local("Liberation Sans"), local("Helvetica"); size-adjust: 99%; ascent-override: 98%; descent-override: 25%; line-gap-override: 0%; }
:root {
  color-scheme: light dark;
  --ground: light-dark(oklch(0.975 0.003 250), oklch(0.185 0.006 255));
  --surface: light-dark(oklch(1 0 0), oklch(0.222 0.007 255));
  --sunken: light-dark(oklch(0.945 0.005 250), oklch(0.155 0.006 255));
  --raised: light-dark(oklch(1 0 0), oklch(0.262 0.008 255));
  --line: light-dark(oklch(0.905 0.006 250), oklch(0.315 0.009 255));
  --line-strong: light-dark(oklch(0.62 0.012 250), oklch(0.565 0.012 255));
  --ink: light-dark(oklch(0.235 0.012 255), oklch(0.95 0.004 255));
  --ink-soft: light-dark(oklch(0.455 0.014 255), oklch(0.755 0.01 255));
  --accent: light-dark(oklch(0.515 0.2 262), oklch(0.72 0.135 258));
  --on-accent: light-dark(oklch(1 0 0), oklch(0.17 0.02 262));
  --danger: light-dark(oklch(0.53 0.205 27), oklch(0.715 0.165 25));
  --edge: 16px;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); accent-color: var(--accent); scrollbar-color: var(--line-strong) transparent; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-block-size: 100dvh; display: flex; flex-direction: column; font: 400 0.9375rem/1.375rem "Instrument Sans", "Instrument Sans Fallback", system-ui, sans-serif; font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; -webkit-tap-highlight-color: transparent; }
h1, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: inherit; }
button { color: inherit; font: inherit; cursor: pointer; }
svg { display: block; flex: none; inline-size: 18px; block-size: 18px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
header, main, footer { inline-size: 100%; padding-inline: max(var(--edge), env(safe-area-inset-left)) max(var(--edge), env(safe-area-inset-right)); }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px 24px; padding-block: 24px 20px; }
.heading { min-inline-size: 0; display: grid; gap: 4px; flex: 1 1 14rem; }
h1 { font-weight: 650; font-size: clamp(1.375rem, 1rem + 1.6vw, 2rem); line-height: 1.2; letter-spacing: -0.018em; overflow-wrap: anywhere; text-wrap: balance; }
header p, footer, .about { color: var(--ink-soft); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
@media (scripting: none) { .actions { display: none; } }
main { flex: 1; padding-block-end: 40px; }
.grid { display: grid; gap: 18px 14px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr)); }
.nothing { display: grid; justify-items: center; gap: 14px; padding: max(24px, 10vh) 16px; text-align: center; color: var(--ink-soft); }
.nothing svg { inline-size: 32px; block-size: 32px; }
.tile { min-inline-size: 0; scroll-margin-block: 16px; }
.shot { position: relative; display: block; text-decoration: none; aspect-ratio: 4 / 3; border-radius: 10px; overflow: hidden; background: var(--sunken); box-shadow: inset 0 0 0 1px var(--line); }
.shot img { display: block; inline-size: 100%; block-size: 100%; object-fit: cover; transition: scale 180ms cubic-bezier(0.2, 0.8, 0.2, 1); }
.shot:hover img { scale: 1.025; }
.shot:focus-visible, .tile:target .shot { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 10px; }
.none { display: grid; place-items: center; block-size: 100%; padding: 12px; color: var(--ink-soft); font-size: 0.8125rem; text-align: center; overflow: hidden; overflow-wrap: anywhere; }
.mark { position: absolute; inset-block-end: 8px; inset-inline-end: 8px; display: flex; align-items: center; gap: 5px; padding: 1px 8px; border-radius: 6px; background: oklch(0.15 0.01 255 / 0.78); color: oklch(1 0 0); font-size: 0.75rem; }
.mark::before { content: ""; border-block: 4px solid transparent; border-inline-start: 7px solid currentColor; }
.facts { display: flex; align-items: center; gap: 4px; min-block-size: 36px; padding-block-start: 4px; font-size: 0.8125rem; line-height: 1.125rem; }
.name { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.save { flex: none; display: grid; place-items: center; inline-size: 32px; block-size: 32px; margin-inline-end: -6px; border-radius: 6px; color: var(--ink-soft); }
.save svg { inline-size: 16px; block-size: 16px; }
.save:hover { background: color-mix(in oklch, var(--ink) 8%, transparent); color: var(--ink); }
.guests { padding-block-end: 28px; --media-upload-accent: var(--accent); --media-upload-border: var(--line-strong); --media-upload-error: var(--danger); }
.guests media-upload { --media-upload-radius: 10px; }
.guests media-upload::part(button) { min-block-size: 40px; padding-inline: 16px; border-radius: 8px; font-weight: 600; }
.guests form { display: grid; gap: 12px; max-inline-size: 32rem; }
.guests .button { justify-self: start; }
.pages { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 12px; padding-block-start: 32px; }
.button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-block-size: 40px; padding: 8px 16px; border: 0; border-radius: 8px; background: var(--ink); color: var(--ground); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.button:hover { background: color-mix(in oklab, var(--ink) 88%, var(--ground)); }
.quiet { background: var(--surface); color: var(--ink); box-shadow: inset 0 0 0 1px var(--line); }
.quiet:hover { background: var(--sunken); }
.card { inline-size: min(100%, 26rem); margin: 10vh auto; padding: 28px; border-radius: 14px; background: var(--surface); box-shadow: inset 0 0 0 1px var(--line), 0 8px 28px oklch(0.15 0.01 255 / 0.06); display: grid; gap: 16px; }
.card h1 { font-size: 1.375rem; }
label { display: grid; gap: 6px; font-weight: 600; }
input, textarea { inline-size: 100%; padding: 10px 12px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--ground); color: inherit; font: inherit; font-weight: 400; }
textarea { display: block; min-block-size: 8rem; resize: vertical; }
input[type="file"] { padding: 6px; }
::file-selector-button { min-block-size: 32px; margin-inline-end: 12px; padding-inline: 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); color: var(--ink); font: inherit; font-weight: 600; }
.wrong { color: var(--danger); }
output:empty { margin-block-start: -16px; }
footer { padding-block: 8px 16px; font-size: 0.8125rem; border-block-start: 1px solid var(--line); }
footer a { display: inline-flex; align-items: center; min-block-size: 36px; text-underline-offset: 2px; }
@media (scripting: enabled) { .actions { min-block-size: 40px; } }
@media (min-width: 1100px) { :root { --edge: 32px; } header { padding-block: 32px 24px; } .grid { gap: 22px 18px; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); } }
@media (min-width: 1700px) { :root { --edge: 48px; } .grid { grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); } }
@media (max-width: 480px) { header { align-items: flex-start; } .actions[data-zip="yes"] { inline-size: 100%; justify-content: space-between; } .heading { flex-basis: 10rem; } .grid { grid-template-columns: 1fr 1fr; gap: 8px; } .card { padding: 24px 20px; } }
@media (max-width: 240px) { .grid { grid-template-columns: 1fr; } }
@media (pointer: coarse) { .button, footer a, .guests media-upload::part(button) { min-block-size: 44px; } .save { inline-size: 44px; block-size: 44px; margin-inline-end: -12px; } input, textarea { font-size: 1rem; } }
.grid:has(> :only-child) { grid-template-columns: minmax(0, 32rem); }
.grid > :only-child .shot { aspect-ratio: 3 / 2; }
@media (prefers-reduced-motion: reduce) { .shot img { transition: none; } .shot:hover img { scale: none; } }
@media (forced-colors: active) { .shot, .card, .button { outline: 1px solid CanvasText; } }
`;
