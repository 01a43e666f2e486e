import { Slots } from "../../media/slots.ts";

/** Leave to hold an image of more than one part in memory: two are held in an isolate at once, of 35 MB each at most. */
export const largeImageTurns = new Slots(2);
