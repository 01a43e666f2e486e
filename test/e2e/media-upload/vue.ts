import "../../../src/element/index.ts";
import { createApp, defineComponent, h, ref } from "vue";
import type { UploadResult } from "../../../src/element/index.ts";

const query = new URLSearchParams(location.search);

const App = defineComponent(() => {
  const url = ref("");
  return () =>
    h("div", [
      h("media-upload", {
        "base-url": query.get("base"),
        ".token": () => query.get("key"),
        onUpload: ({ detail }: CustomEvent<UploadResult>) => {
          url.value = detail.url;
        },
      }),
      h("output", { "data-testid": "urls" }, url.value),
    ]);
});

createApp(App).mount("#root");
