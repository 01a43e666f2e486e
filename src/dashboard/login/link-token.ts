let token = "";

/**
 * The token of the mailed link that opened this page. It is removed from the address at once, so that it stays in no
 * history, bookmark or screenshot. Empty if the page was reloaded or opened without a link.
 */
export function linkToken(): string {
  if (location.hash.length > 1) {
    token = location.hash.slice(1);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return token;
}
