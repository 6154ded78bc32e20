import type { EmailContent } from './email-content.ts';

/** Reduces an email to what happened and a link to it, without text written by users. Undefined for an email about the account itself. */
export const withoutUserText = (email: EmailContent): EmailContent | undefined => {
  const { neutralSubject, button, link } = email;
  if (neutralSubject === null) return undefined;
  return {
    subject: neutralSubject,
    neutralSubject,
    heading: neutralSubject,
    paragraphs: [
      'You find the details on the site. They are not in this email because its address is not verified yet.',
      'To get them by email too, verify your email: your profile page sends you the link.',
    ],
    button,
    ...(link && { link }),
    footnote: 'Didn’t sign up at LendTools? You can ignore this email.',
  };
};
