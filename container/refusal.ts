/** An answer other than 200. 422 means that the job can never work, 502, 503 and 504 that it may work later. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 405 | 413 | 422 | 502 | 503 | 504;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: Refusal["status"], reason: string, retryAfterSeconds?: number) {
    super(reason);
    this.name = "Refusal";
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** `no_video`: the file has a video's type but no video track. `no_frames`: its video track has no frames. */
export type NoPictureCode = "no_video" | "no_frames";

/** An intact file without a picture to show. Its `code` is for programs, the reason for people. */
export class NoPicture extends Refusal {
  readonly code: NoPictureCode;

  constructor(code: NoPictureCode, reason: string) {
    super(422, reason);
    this.name = "NoPicture";
    this.code = code;
  }
}
