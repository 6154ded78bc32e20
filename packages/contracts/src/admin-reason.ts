/** The longest reason that an admin gives for helping a person who has lost access. */
export const longestAdminReason = 500;
