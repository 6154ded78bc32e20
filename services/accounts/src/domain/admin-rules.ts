interface Standing {
  role: 'User' | 'Admin';
  disabled: boolean;
}

const isActiveAdmin = ({ role, disabled }: Standing): boolean => role === 'Admin' && !disabled;

/** At least one person must remain who can make others admins. */
export const leavesNoAdmin = (before: Standing, after: Standing, otherAdmins: number): boolean =>
  isActiveAdmin(before) && !isActiveAdmin(after) && otherAdmins === 0;

/** Whether access tokens that state what was true before must stop being valid. */
export const cutsAccess = (before: Standing, after: Standing): boolean =>
  before.role !== after.role || (after.disabled && !before.disabled);
