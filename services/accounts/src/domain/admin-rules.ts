interface Standing {
  role: 'User' | 'Admin';
  disabled: boolean;
}

const isActiveAdmin = ({ role, disabled }: Standing): boolean => role === 'Admin' && !disabled;

/** Whether a change would leave no active admin, so that nobody could appoint another one. */
export const leavesNoAdmin = (before: Standing, after: Standing, otherAdmins: number): boolean =>
  isActiveAdmin(before) && !isActiveAdmin(after) && otherAdmins === 0;

/** Whether a change of a user must invalidate the access tokens that the user already has. */
export const cutsAccess = (before: Standing, after: Standing): boolean =>
  before.role !== after.role || (after.disabled && !before.disabled);
