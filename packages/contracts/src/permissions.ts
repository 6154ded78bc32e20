/** `User` is a member; the others are admins. Replicas of 1.0 take every role except `Admin` for a member. */
export const roles = ['User', 'Support', 'Finance', 'Admin'] as const;
export type Role = (typeof roles)[number];

/**
 * What an admin may do. `read`: see users, tools, bookings, reviews and problems. `moderate`: read messages, decide reports, settle
 * problems, disable members, act for an owner. `money`: refund, cancel, and see and change everything about payouts. `administer`:
 * roles, emails, categories and the audit log.
 */
export type Permission = 'read' | 'moderate' | 'money' | 'administer';

const permissions: Record<Role, readonly Permission[]> = {
  User: [],
  Support: ['read', 'moderate'],
  Finance: ['read', 'money'],
  Admin: ['read', 'moderate', 'money', 'administer'],
};

export const permissionsOf = (role: Role): readonly Permission[] => permissions[role];

export const may = (role: Role, permission: Permission): boolean =>
  permissions[role].includes(permission);

export const rolesWith = (permission: Permission): Role[] =>
  roles.filter((role) => may(role, permission));

export const isAdminRole = (role: Role): boolean => role !== 'User';
