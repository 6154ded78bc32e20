import type { Report, ReportDecision } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints, type QueryOf } from '../../api/add-endpoints.ts';
import { pages } from '../../api/cursor-pages.ts';

export type ReportFilters = QueryOf<typeof at.reports>;

interface Decided {
  report: Report;
  decision: ReportDecision;
  reason: string;
}

const reportsApi = addEndpoints(({ mutation, build }) => ({
  reports: pages(build, at.reports, {
    send: (filters: ReportFilters) => ({ query: filters }),
    providesTags: ['Report'],
  }),
  takeReport: mutation(at.takeReport, {
    send: ({ id, taken }: { id: string; taken: boolean }) => ({ params: { id }, body: { taken } }),
    invalidatesTags: ['Report'],
  }),
  decideReport: mutation(at.decideReport, {
    send: ({ report, decision, reason }: Decided) => ({
      params: { id: report.id },
      body: { decision, reason },
      ifMatch: report.revision,
    }),
    invalidatesTags: ['Report', 'Tool', 'User'],
  }),
}));

export const { useReportsInfiniteQuery, useTakeReportMutation, useDecideReportMutation } =
  reportsApi;
