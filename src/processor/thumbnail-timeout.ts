/**
 * The media processor's time for a thumbnail was up, and it cannot tell whose fault that was. It may work later; as each attempt is as
 * long as an attempt can be, there should be few. The message is the processor's reason.
 */
export class ThumbnailTimeout extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ThumbnailTimeout";
  }
}
