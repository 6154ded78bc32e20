import { type Quota, scaled } from '@lendtools/service-kit';

/** Limits on signed-in users; `rate-limits.ts` limits guesses and anonymous requests. */
export interface Quotas {
  /** How many sessions a user may have at once. Another login ends the least recently used session. */
  sessions: number;
  logins: Quota;
  /** Limits the entries of the audit log about logins that open no session, for each reason. */
  recordedLogins: Omit<Quota, 'kind'>;
  /** Limits token refreshes. A page refreshes its token when it loads and then every 15 minutes. */
  refreshes: Quota;
  edits: Quota;
  reports: Quota;
  blocks: Quota;
  auditFiles: Quota;
  dataExports: Quota;
  uploadMegabytesPerDay: number;
}

export const createQuotas = (factor: number): Quotas => {
  const times = (limit: number): number => scaled(limit, factor);
  const anHour = (kind: string, limit: number, rejection: string): Quota => ({
    kind,
    rejection,
    limit: times(limit),
    windowSeconds: 3_600,
  });
  return {
    sessions: times(100),
    logins: anHour('logins', 200, 'You have logged in many times.'),
    recordedLogins: {
      limit: times(20),
      windowSeconds: 3_600,
      rejection: 'This login is not recorded.',
    },
    refreshes: anHour('refreshes', 600, 'You have loaded very many pages.'),
    edits: anHour('profile-edits', 60, 'You have changed your account many times.'),
    reports: anHour('reports', 20, 'You have sent many reports.'),
    blocks: anHour('blocks', 60, 'You have blocked and unblocked people many times.'),
    auditFiles: anHour(
      'audit-files',
      60,
      'You have downloaded the audit log often within an hour.',
    ),
    dataExports: {
      kind: 'data-exports',
      limit: times(3),
      windowSeconds: 86_400,
      rejection: 'You have had your data collected several times today.',
    },
    uploadMegabytesPerDay: 50 * factor,
  };
};
