const domain = '@deleted.invalid';

/**
 * The address of a deleted user, of a top-level domain that never exists. `unique` is random: replicas of 1.0 let anyone sign up with
 * such an address.
 */
export const deletedEmail = (unique: string): string => `${unique}${domain}`;

export const isDeletedEmail = (address: string): boolean => address.endsWith(domain);
