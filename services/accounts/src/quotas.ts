import { type Quota, scaled } from '@lendtools/service-kit';

/** What a signed-in user may do; `rate-limits.ts` limits those who guess or are not signed in. */
export interface Quotas {
  /** Live sessions of one person: the least recently used one ends. */
  sessions: number;
  logins: Quota;
  /** A page that is loaded asks once, and then every quarter of an hour. */
  refreshes: Quota;
  edits: Quota;
  uploadMegabytesPerDay: number;
}

export const createQuotas = (factor: number): Quotas => {
  const times = (limit: number): number => scaled(limit, factor);
  const anHour = (kind: string, limit: number, refusal: string): Quota => ({
    ...{ kind, refusal },
    limit: times(limit),
    windowSeconds: 3_600,
  });
  return {
    sessions: times(100),
    logins: anHour('logins', 200, 'You have logged in many times.'),
    refreshes: anHour('refreshes', 600, 'You have loaded very many pages.'),
    edits: anHour('profile-edits', 60, 'You have changed your account many times.'),
    uploadMegabytesPerDay: 50 * factor,
  };
};
