import type { ReportedKind, ReportReason } from '@lendtools/contracts';
import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

interface NewReport {
  about: ReportedKind;
  id: string;
  reason: ReportReason;
  text: string;
  email?: string;
}

const reportApi = addEndpoints(({ mutation }) => ({
  addReport: mutation(at.addReport, {
    send: (report: NewReport) => ({ body: report }),
    invalidatesTags: ['Report'],
  }),
}));

export const { useAddReportMutation } = reportApi;
