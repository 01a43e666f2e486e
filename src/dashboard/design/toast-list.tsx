import { Toast } from "@base-ui/react/toast";
import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import X from "lucide-react/icons/x";
import { useEffect } from "react";
import { IconButton } from "./icon-button.tsx";
import styles from "./toast.module.css";
import { toastQueue } from "./toast-queue.ts";

const WITH_ACTION_MS = 10_000;
const PLAIN_MS = 5000;
const MOST = 3;

/** The lazy part of `Toasts`. */
export default function ToastList() {
  return (
    <Toast.Provider limit={MOST}>
      <Shown />
    </Toast.Provider>
  );
}

function Shown() {
  const { toasts, add, close } = Toast.useToastManager();
  useEffect(() => {
    const show = () => {
      for (const { title, description, action, tone = "plain", timeoutMs, signal } of toastQueue.take()) {
        if (signal?.aborted) continue;
        const id = add({
          title,
          description,
          type: tone,
          priority: tone === "danger" ? "high" : "low",
          timeout: timeoutMs ?? (action === undefined ? PLAIN_MS : WITH_ACTION_MS),
          ...(action !== undefined && {
            actionProps: {
              children: action.title,
              onClick() {
                close(id);
                action.run();
              },
            },
          }),
        });
        signal?.addEventListener("abort", () => close(id));
      }
    };
    show();
    return toastQueue.subscribe(show);
  }, [add, close]);
  return (
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport}>
        {toasts.map((shown) => (
          // Base UI announces an urgent toast by a copy, and hides the toast from screen readers, but not its buttons from the Tab key. A
          // toast that is not hidden would be announced a second time, as an alert dialog or by the viewport.
          <Toast.Root
            key={shown.id}
            toast={shown}
            swipeDirection={["down", "right"]}
            className={styles.toast}
            aria-hidden={false}
            {...(shown.priority === "high" && { role: "dialog", "aria-live": "off" })}
          >
            {shown.type === "danger" && <CircleAlert size={18} className={styles.bad} aria-hidden />}
            {shown.type === "ok" && <CircleCheck size={18} className={styles.good} aria-hidden />}
            <div className={styles.text}>
              <Toast.Title render={<p />} className={styles.title} />
              <Toast.Description className={styles.description} />
            </div>
            {shown.actionProps !== undefined && <Toast.Action className={styles.action} />}
            {/* Base UI hides it from screen readers until the toasts are expanded, but not from the Tab key. */}
            <Toast.Close
              aria-hidden={false}
              render={<IconButton label="Close" icon={X} size="small" className={styles.close} />}
            />
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
