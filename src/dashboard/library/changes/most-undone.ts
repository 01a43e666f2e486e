/** A change of more files cannot be undone; a dialog warns of it. */
export const MOST_UNDONE = 5000;
