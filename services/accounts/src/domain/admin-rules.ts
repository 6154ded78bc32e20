interface Standing {
  role: 'User' | 'Admin';
  disabled: boolean;
}

const isActiveAdmin = ({ role, disabled }: Standing): boolean => role === 'Admin' && !disabled;

/** Without an active admin, no user could be made an admin. */
export const leavesNoAdmin = (before: Standing, after: Standing, otherAdmins: number): boolean =>
  isActiveAdmin(before) && !isActiveAdmin(after) && otherAdmins === 0;

/** Whether a change must invalidate the access tokens issued before it. */
export const cutsAccess = (before: Standing, after: Standing): boolean =>
  before.role !== after.role || (after.disabled && !before.disabled);
