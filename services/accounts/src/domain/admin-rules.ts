interface Standing {
  role: 'User' | 'Admin';
  disabled: boolean;
}

const isActiveAdmin = ({ role, disabled }: Standing): boolean => role === 'Admin' && !disabled;

/** Somebody must be left who can make others admins. */
export const leavesNoAdmin = (before: Standing, after: Standing, otherAdmins: number): boolean =>
  isActiveAdmin(before) && !isActiveAdmin(after) && otherAdmins === 0;

/** Whether access tokens that say what was true before must count no more. */
export const cutsAccess = (before: Standing, after: Standing): boolean =>
  before.role !== after.role || (after.disabled && !before.disabled);
