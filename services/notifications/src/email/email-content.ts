import type { CalendarEntry } from '@lendtools/contracts';

/** What an email says; the layout gives all of them one look, and a plain-text part. */
export interface EmailContent {
  subject: string;
  /**
   * The subject and heading for an unverified address, which gets nothing that users typed; null for an email about
   * the account itself, which any address gets as it is.
   */
  neutralSubject: string | null;
  /** What mail programs list under the subject; the first paragraph, unless something says more. */
  preheader?: string;
  heading: string;
  paragraphs: string[];
  /** Label and value, as a small table. */
  facts?: [string, string][];
  button: { label: string; url: string };
  /** For a calendar, beside the text. */
  calendar?: CalendarEntry;
  /** Small print, such as what to do if it was not you. */
  footnote?: string;
}
