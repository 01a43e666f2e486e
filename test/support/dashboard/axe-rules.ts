/**
 * The options of axe for every page and part: all rules that are on by default, best practices too, and WCAG 2.2's size of targets. No rule
 * is off.
 */
export const AXE_OPTIONS = { rules: { "target-size": { enabled: true } }, resultTypes: ["violations" as const] };

/**
 * An open menu is outside of the landmarks, as a dialog is: it covers the page and keeps the focus. axe's rule `region` makes the
 * exception for dialogs alone.
 */
export const AXE_SETTINGS = {
  checks: [{ id: "region", options: { regionMatcher: "dialog, [role=dialog], [role=alertdialog], svg, [role=menu]" } }],
};
