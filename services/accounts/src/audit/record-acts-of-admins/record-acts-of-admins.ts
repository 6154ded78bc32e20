import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { insertEntry } from '../../store/audit-repository.ts';

/** Stores what admins did and read in the other services. */
export const recordActsOfAdmins = ({ pool }: Pick<Deps, 'pool'>): Consumer =>
  subscribe('accounts.record-acts-of-admins', ({ data }) => insertEntry(pool, data));
