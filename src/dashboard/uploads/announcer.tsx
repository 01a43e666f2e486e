import { useEffect, useState } from "react";
import { announce, NOTHING_SAID } from "./announce.ts";
import { uploads } from "./queue.ts";

/** Tells screen readers of uploads, wherever they are in the page. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    let said = NOTHING_SAID;
    return uploads.subscribe(() => {
      const next = announce(said, uploads.getSnapshot(), Date.now());
      if (next === undefined) return;
      said = next.said;
      setText(next.text);
    });
  }, []);
  return (
    <p role="status" className="hidden-text">
      {text}
    </p>
  );
}
