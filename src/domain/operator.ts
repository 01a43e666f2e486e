/** Headers with which the operator signs an action for the audit log: a name, and a reason if the body has no reason. */
export const OPERATOR_HEADER = "X-Operator";
export const REASON_HEADER = "X-Reason";

/** The actor of an entry of the audit log is this and an account's id if that account's session acted. */
export const ACCOUNT_ACTOR = "account:";

/** The actor of takedowns that the moderation hook asked for. */
export const MODERATION_ACTOR = "moderation hook";

/** The longest reason of an action. */
export const MAX_REASON_CHARACTERS = 1000;
