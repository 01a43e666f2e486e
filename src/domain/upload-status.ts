export const UPLOAD_STATUSES = ["active", "trash"] as const;
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];
