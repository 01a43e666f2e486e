/** The page's style. Its colours are the dashboard's (`dashboard/design/tokens.css`), which a test compares. */
export const SHARE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(oklch(0.975 0.003 250), oklch(0.185 0.006 255));
  --surface: light-dark(oklch(1 0 0), oklch(0.222 0.007 255));
  --sunken: light-dark(oklch(0.945 0.005 250), oklch(0.155 0.006 255));
  --line: light-dark(oklch(0.905 0.006 250), oklch(0.315 0.009 255));
  --line-strong: light-dark(oklch(0.62 0.012 250), oklch(0.565 0.012 255));
  --ink: light-dark(oklch(0.235 0.012 255), oklch(0.95 0.004 255));
  --ink-soft: light-dark(oklch(0.455 0.014 255), oklch(0.755 0.01 255));
  --accent: light-dark(oklch(0.515 0.2 262), oklch(0.72 0.135 258));
  --on-accent: light-dark(oklch(1 0 0), oklch(0.17 0.02 262));
  --danger: light-dark(oklch(0.53 0.205 27), oklch(0.715 0.165 25));
}
*, ::before, ::after { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); accent-color: var(--accent); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-block-size: 100dvh; display: flex; flex-direction: column; font: 400 0.9375rem/1.375rem "Instrument Sans", system-ui, sans-serif; font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; }
h1, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
header, main, footer { inline-size: 100%; padding-inline: max(16px, env(safe-area-inset-left)) max(16px, env(safe-area-inset-right)); }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; padding-block: 28px 20px; }
h1 { font-weight: 650; font-size: clamp(1.375rem, 1rem + 1.6vw, 2rem); line-height: 1.2; letter-spacing: -0.018em; overflow-wrap: anywhere; text-wrap: balance; }
header p, footer, .about { color: var(--ink-soft); }
main { flex: 1; padding-block-end: 32px; }
.grid { display: grid; gap: 20px 12px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr)); }
.tile { min-inline-size: 0; }
.shot { position: relative; display: block; text-decoration: none; aspect-ratio: 4 / 3; border-radius: 10px; overflow: hidden; background: var(--sunken); }
.shot img { display: block; inline-size: 100%; block-size: 100%; object-fit: cover; transition: scale 180ms cubic-bezier(0.2, 0.8, 0.2, 1); }
.shot:hover img { scale: 1.025; }
.shot:focus-visible { border-radius: 10px; }
.none { display: grid; place-items: center; block-size: 100%; padding: 12px; color: var(--ink-soft); font-size: 0.8125rem; overflow-wrap: anywhere; }
.mark { position: absolute; inset-block-end: 8px; inset-inline-end: 8px; padding: 1px 8px; border-radius: 6px; background: oklch(0.15 0.01 255 / 0.78); color: oklch(1 0 0); font-size: 0.75rem; }
.facts { display: flex; align-items: baseline; gap: 8px; padding-block-start: 6px; font-size: 0.8125rem; line-height: 1.125rem; }
.name { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-decoration: none; }
.facts .save { flex: none; color: var(--ink-soft); text-underline-offset: 2px; }
.facts .save:hover { color: var(--ink); }
.guests { padding-block-end: 28px; --media-upload-accent: var(--accent); --media-upload-border: var(--line-strong); --media-upload-error: var(--danger); }
.guests form { display: grid; justify-items: start; gap: 12px; }
.pages { display: flex; justify-content: center; gap: 12px; padding-block-start: 32px; }
.button { display: inline-block; padding: 10px 18px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.quiet { background: var(--surface); color: var(--ink); box-shadow: inset 0 0 0 1px var(--line-strong); }
.card { inline-size: min(100%, 26rem); margin: 10vh auto; padding: 28px; border-radius: 14px; background: var(--surface); box-shadow: inset 0 0 0 1px var(--line); display: grid; gap: 16px; }
.card h1 { font-size: 1.375rem; }
label { display: grid; gap: 6px; font-weight: 600; }
input { inline-size: 100%; padding: 10px 12px; border: 1px solid var(--line-strong); border-radius: 8px; background: var(--ground); color: inherit; font: inherit; }
.wrong { color: var(--danger); }
footer { padding-block: 16px 24px; font-size: 0.8125rem; border-block-start: 1px solid var(--line); }
footer a { text-underline-offset: 2px; }
@media (min-width: 1100px) { header, main, footer { padding-inline: 32px; } .grid { gap: 24px 16px; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); } }
@media (max-width: 480px) { .grid { grid-template-columns: 1fr 1fr; gap: 16px 8px; } .facts { flex-direction: column; gap: 0; } .name { inline-size: 100%; flex: none; } .facts .save { padding-block: 6px; } }
@media (prefers-reduced-motion: reduce) { .shot img { transition: none; } .shot:hover img { scale: none; } }
@media (forced-colors: active) { .shot, .card { outline: 1px solid CanvasText; } }
`;
