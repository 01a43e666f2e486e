import { createRef } from "react";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "../../src/dashboard/design/tokens.css";
import type { FileFacts } from "../../src/dashboard/file/file-facts.ts";
import { Video, type VideoHandle } from "../../src/dashboard/file/video.tsx";

const film = (more: Partial<FileFacts>): FileFacts => ({
  _id: "1",
  url: "/clip.avi",
  downloadUrl: "/clip.avi?download=1",
  filename: "clip.avi",
  originalFilename: "clip.avi",
  prompt: "clip.avi",
  mimeType: "video/x-msvideo",
  size: { width: 64, height: 48 },
  thumbHash: null,
  dominantColor: null,
  fileSize: 1000,
  folderId: null,
  tags: [],
  visibility: "public",
  externalId: null,
  alt: null,
  metadata: null,
  expiresAt: null,
  takenAt: null,
  camera: null,
  lens: null,
  exposure: null,
  location: null,
  focalPoint: null,
  favorite: false,
  status: "active",
  createdAt: "2026-11-24T00:00:00Z",
  thumbnailUrl: null,
  type: "upload",
  modelName: "upload",
  originalFileSize: 1000,
  sha256: null,
  compressed: false,
  durationMs: null,
  thumbnail: "pending",
  ...more,
});

it("A video that the browser cannot play shows its thumbnail", async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 48 });
  const thumbnail = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  const previewUrl = URL.createObjectURL(thumbnail ?? new Blob());
  const file = film({ previewUrl });
  await render(<Video file={file} source={file.url} renew={async () => file.url} ref={createRef<VideoHandle>()} />);
  await expect.element(page.getByText(/AVI/)).toBeVisible();
  await expect.poll(() => document.querySelector<HTMLImageElement>(`img[src="${previewUrl}"]`)?.naturalWidth).toBe(64);
});

it("A video that the browser cannot play shows only its text if it has no thumbnail", async () => {
  const file = film({ previewUrl: null });
  await render(<Video file={file} source={file.url} renew={async () => file.url} ref={createRef<VideoHandle>()} />);
  await expect.element(page.getByText(/AVI/)).toBeVisible();
  expect(document.querySelector("img")).toBeNull();
});
