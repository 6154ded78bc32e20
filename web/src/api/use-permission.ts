import { may, type Permission, roles } from '@lendtools/contracts/permissions';
import { type SessionUser, useUser } from './session-slice.ts';

export function isPermitted(user: SessionUser | null, permission: Permission): boolean {
  const role = roles.find((known) => known === user?.role);
  return role !== undefined && may(role, permission);
}

/** Whether the reader's role allows this. The services check it again. */
export function usePermission(permission: Permission): boolean {
  return isPermitted(useUser(), permission);
}
