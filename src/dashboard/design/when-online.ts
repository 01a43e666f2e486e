/** Loads a part of the page. Where the network is or was away meanwhile, it is tried again when that is back. */
export async function whenOnline<Part>(load: () => Promise<Part>): Promise<Part> {
  // A listener that is there already is not added again.
  addEventListener("error", noteLostStyles, true);
  for (;;) {
    let wasAway = !navigator.onLine;
    const noteAway = () => {
      wasAway = true;
    };
    addEventListener("offline", noteAway);
    try {
      return await load();
    } catch (error) {
      // The failure may be heard of when the network is back already.
      if (!wasAway) throw error;
      if (!navigator.onLine) await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
      await loadLostStyles();
    } finally {
      removeEventListener("offline", noteAway);
    }
  }
}

const lost = new Set<HTMLLinkElement>();
let loading: Promise<unknown> | undefined;

function noteLostStyles({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === "stylesheet") lost.add(target);
}

/** Vite asks for a style sheet once, and takes one that failed for loaded the next time. All who wait share one try. */
async function loadLostStyles(): Promise<void> {
  loading ??= Promise.all(Array.from(lost, loadAgain)).finally(() => {
    loading = undefined;
  });
  await loading;
}

async function loadAgain(link: HTMLLinkElement): Promise<void> {
  lost.delete(link);
  const again = link.cloneNode() as HTMLLinkElement;
  await new Promise((resolve) => {
    again.onload = resolve;
    again.onerror = resolve;
    link.replaceWith(again);
  });
}
