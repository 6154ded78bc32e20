import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Copies users' roles and whether they are disabled, to find the admins to notify. */
export const syncAdmins = ({ admins }: Deps): Consumer =>
  subscribe('notifications.keep-admins', async ({ type, version, data }) => {
    const { userId: _id } = data;
    if (type === 'AccountDisabled') await admins.keepDisabled(_id, data.disabled, version);
    else await admins.keepRole({ _id, role: data.role, version });
  });
