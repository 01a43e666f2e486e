import "../../../src/element/index.ts";
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import type { UploadResult } from "../../../src/element/index.ts";

const query = new URLSearchParams(location.search);

function App() {
  const [url, setUrl] = useState("");
  const upload = createElement("media-upload", {
    "base-url": query.get("base"),
    token: () => query.get("key"),
    onupload: ({ detail }: CustomEvent<UploadResult>) => setUrl(detail.url),
  });
  return createElement("div", null, upload, createElement("output", { "data-testid": "urls" }, url));
}

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(createElement(App));
