import type { ReportReason } from './api/reports.ts';

/** The longest text of a report, an appeal or a decision. */
export const longestReportText = 2000;

/** The reasons of reports, which the dialog and the emails share. */
export const reportReasons: Record<ReportReason, string> = {
  scam: 'It looks like a scam',
  illegal: 'It is illegal or stolen',
  dangerous: 'It is dangerous',
  misleading: 'It is not what it says',
  offensive: 'It is offensive or hateful',
  private: 'It shows private data',
  copied: 'It uses my pictures or texts',
  spam: 'It is an advertisement',
  other: 'Something else',
};
