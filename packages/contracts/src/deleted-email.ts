const domain = '@deleted.invalid';

/** The address of a deleted user: unique, and of a top-level domain that never exists. */
export const deletedEmail = (userId: string): string => `${userId}${domain}`;

export const isDeletedEmail = (address: string): boolean => address.endsWith(domain);
