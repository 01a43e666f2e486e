/** The pause before a failed load is repeated: a request can be lost although the browser is online. */
const REPEAT_AFTER_MS = 300;

/**
 * Loads a part of the page. A failed load is repeated once. If the browser was offline during an attempt, the load is repeated when the
 * browser is online again, as often as that happens.
 * @throws the error of the second failed attempt
 */
export async function whenOnline<Part>(load: () => Promise<Part>): Promise<Part> {
  // The browser ignores a listener that was added before.
  addEventListener("error", noteLostStyles, true);
  for (let mayRepeat = true; ; ) {
    let wasAway = !navigator.onLine;
    const noteAway = () => {
      wasAway = true;
    };
    addEventListener("offline", noteAway);
    try {
      return await load();
    } catch (error) {
      // The error can arrive after the network is back.
      if (!wasAway) {
        if (!mayRepeat) throw error;
        mayRepeat = false;
        await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
      } else if (!navigator.onLine) await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
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

/** Vite requests a style sheet once and treats a failed one as loaded. All callers share one attempt. */
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
