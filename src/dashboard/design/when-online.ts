/** Loads a part of the page. Where the network is away, it is tried again when that is back. */
export async function whenOnline<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (navigator.onLine) throw error;
      await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
      await loadStyles();
    }
  }
}

let loading: Promise<unknown> | undefined;

/** Vite asks for a style sheet once, and takes one that failed for loaded the next time. All who wait share one try. */
async function loadStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
  loading ??= Promise.all(Array.from(links, loadAgain)).finally(() => {
    loading = undefined;
  });
  await loading;
}

async function loadAgain(link: HTMLLinkElement): Promise<void> {
  if (isLoaded(link)) return;
  const again = link.cloneNode() as HTMLLinkElement;
  await new Promise((resolve) => {
    again.onload = resolve;
    again.onerror = resolve;
    link.replaceWith(again);
  });
}

function isLoaded({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length >= 0;
  } catch {
    // So Chromium says that what should have come from here did not come.
    return false;
  }
}
