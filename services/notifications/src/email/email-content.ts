import type { CalendarEntry } from '@lendtools/contracts';

/** The content of an email; the layout adds the common design and a plain-text part. */
export interface EmailContent {
  subject: string;
  /**
   * The subject and heading for an unverified address, which receives no text by users. Null for an email about the
   * account itself, which any address receives unchanged.
   */
  neutralSubject: string | null;
  /** The preview after the subject in a list of emails; by default the first paragraph. */
  preheader?: string;
  heading: string;
  paragraphs: string[];
  /** Labels and values, shown as a small table. */
  facts?: [string, string][];
  button: { label: string; url: string };
  /** An event for a calendar file. */
  calendar?: CalendarEntry;
  /** Small print, such as what to do if you did not request this. */
  footnote?: string;
}
