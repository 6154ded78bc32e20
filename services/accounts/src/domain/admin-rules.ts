import { isAdminRole, may, type Role } from '@lendtools/contracts';

interface Standing {
  role: Role;
  disabled: boolean;
}

const isActiveAdministrator = ({ role, disabled }: Standing): boolean =>
  role === 'Admin' && !disabled;

/** Whether a change would leave no active administrator, so that nobody could appoint another one. */
export const leavesNoAdmin = (before: Standing, after: Standing, otherAdmins: number): boolean =>
  isActiveAdministrator(before) && !isActiveAdministrator(after) && otherAdmins === 0;

/** Only administrators may change roles or accounts of admins. Otherwise support could disable the admins who watch it. */
export const mayChange = (by: Role, before: Standing, after: Standing): boolean =>
  may(by, 'administer') || (before.role === after.role && !isAdminRole(before.role));

/** Whether a change of a user must invalidate the access tokens that the user already has. */
export const cutsAccess = (before: Standing, after: Standing): boolean =>
  before.role !== after.role || (after.disabled && !before.disabled);
