/** What must be told of an upload under way, so that it can be kept alive and undone. */
export interface UploadTracker {
  /** From here on the upload is announced, and something of it may be in R2. */
  began(file: { readonly uploadId: string; readonly objectKey: string }): void;
  /** Nothing of it is left in R2: its reservation is freed. */
  undone(uploadId: string): Promise<void>;
  /** It could not be undone: its intent stays, and the account's alarm does it later. */
  abandoned(uploadId: string): void;
}
