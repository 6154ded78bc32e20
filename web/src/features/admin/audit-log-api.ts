import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints, type QueryOf } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';
import { loadFile } from '../../api/load-file.ts';

export type AuditFilters = QueryOf<typeof at.auditLog>;

const auditLogApi = addEndpoints(({ build }) => ({
  auditLog: pages(build, at.auditLog, {
    send: (filters: AuditFilters) => ({ query: filters }),
  }),
  auditLogCsv: loadFile(build, at.auditLogCsv, (filters: AuditFilters) => ({ query: filters })),
}));

export const { useAuditLogInfiniteQuery, useAuditLogCsvMutation } = auditLogApi;
