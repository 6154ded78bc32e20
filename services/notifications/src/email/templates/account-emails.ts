import { type EventData, pages, type SecondFactorChange } from '@lendtools/contracts';
import { instantInWords, nameInEmail } from '../../domain/formats.ts';
import type { EmailContent } from '../email-content.ts';

/** Greets by name only if the name is safe for an email. */
export const greet = (firstName: string, sentence: string): string => {
  const name = nameInEmail(firstName);
  return name ? `Hello ${name}, ${sentence}` : sentence.charAt(0).toUpperCase() + sentence.slice(1);
};

const reasonInWords = (reason: string): string => `The reason: ${reason}`;

/** The address of an emailed link. Its host is configured, never taken from a request. */
export const tokenPage = (site: string, page: string, token: string): string =>
  `${site}${page}?token=${encodeURIComponent(token)}`;

/** The first admin's welcome has no token. */
export const welcomeEmail = (
  site: string,
  { firstName, token }: { firstName: string; token?: string },
): EmailContent => ({
  subject: 'Welcome to LendTools',
  neutralSubject: null,
  ...(token !== undefined && {
    preheader: 'One thing first: please confirm that this email is yours.',
  }),
  heading: `Welcome${nameInEmail(firstName) && ','} ${nameInEmail(firstName) || 'to LendTools'}!`,
  paragraphs: [
    'Somewhere near you a drill, a ladder or a tile saw is waiting in a garage. Now you can borrow it for a day, ' +
      'and lend out what’s waiting in yours.',
    ...(token === undefined
      ? []
      : [
          'One thing first: please confirm that this email is yours. Your profile then says “Email verified”.',
        ]),
  ],
  ...(token === undefined
    ? { button: { label: 'See the tools near you', url: site } }
    : {
        button: { label: 'Verify my email', url: tokenPage(site, pages.confirmEmail, token) },
        footnote: 'The link works once, for a week. Didn’t sign up? You can ignore this email.',
      }),
});

export const verificationEmail = (
  site: string,
  { firstName, token }: { firstName: string; token: string },
): EmailContent => ({
  subject: 'Verify your LendTools email',
  neutralSubject: null,
  heading: 'Is this your email?',
  paragraphs: [
    greet(
      firstName,
      'please confirm that this email is yours. Your profile then says “Email verified”.',
    ),
  ],
  button: { label: 'Verify my email', url: tokenPage(site, pages.confirmEmail, token) },
  footnote: 'The link works once, for a week. Not expecting this? You can ignore this email.',
});

export const passwordResetEmail = (
  site: string,
  { firstName, token }: { firstName: string; token: string },
): EmailContent => ({
  subject: 'Reset your LendTools password',
  neutralSubject: null,
  heading: 'Choose a new password',
  paragraphs: [
    greet(firstName, 'someone (we hope it was you) asked to reset your password.'),
    'The link works once, for 30 minutes.',
  ],
  button: { label: 'Reset Password', url: tokenPage(site, pages.resetPassword, token) },
  footnote: 'Wasn’t you? You can ignore this email: your password stays the same.',
});

export const newAddressEmail = (
  site: string,
  { firstName, token }: { firstName: string; token: string },
): EmailContent => ({
  subject: 'Confirm your new email',
  neutralSubject: null,
  heading: 'Is this your new email?',
  paragraphs: [
    greet(
      firstName,
      'please confirm that you want to use this address at LendTools. The link works for a day.',
    ),
  ],
  button: { label: 'Confirm this email', url: tokenPage(site, pages.confirmEmail, token) },
  footnote: 'Not expecting this? You can ignore this email, and nothing will change.',
});

/** `newEmail` is chosen by a user, so an unverified address does not receive it. */
export const emailChangesEmail = (
  site: string,
  { firstName, newEmail }: { firstName: string; newEmail: string | undefined },
): EmailContent => ({
  subject: 'Your LendTools email is about to change',
  neutralSubject: null,
  heading: 'Your email is about to change',
  paragraphs: [
    greet(
      firstName,
      `you asked to use ${newEmail ?? 'another address'} from now on. It changes once you open the link that we sent there.`,
    ),
  ],
  button: { label: 'It wasn’t me: reset my password', url: site + pages.passwordRequest },
  footnote: 'If it was you, there’s nothing else to do.',
});

export const emailChangedEmail = (
  site: string,
  { firstName, newEmail, token }: { firstName: string; newEmail: string; token: string },
): EmailContent => ({
  subject: 'Your LendTools email was changed',
  neutralSubject: null,
  heading: 'Your email was changed',
  paragraphs: [
    greet(firstName, `your account uses ${newEmail} from now on, and no longer this address.`),
    'If it wasn’t you, undo it within three days: you get your account back with this address, everyone is logged out, ' +
      'and you choose a new password.',
  ],
  button: {
    label: 'It wasn’t me: undo the change',
    url: tokenPage(site, pages.undoEmailChange, token),
  },
  footnote: 'If it was you, there’s nothing else to do. Later than that, please write to us.',
});

/** To the address that an admin restored. A separate email has the link for a new password. */
export const emailRestoredEmail = (
  site: string,
  { firstName, email, reason }: EventData<'EmailRestored'>,
): EmailContent => ({
  subject: 'Your LendTools account has this email again',
  neutralSubject: null,
  heading: 'Your email is back',
  paragraphs: [
    greet(firstName, `one of our admins gave your account the email ${email} again.`),
    reasonInWords(reason),
    'All devices are logged out, and the old password no longer works. Another email has the link to choose a new one.',
  ],
  button: { label: 'Log in', url: site + pages.login },
});

/** To the address that the account no longer has. */
export const emailReplacedEmail = (
  site: string,
  { firstName, reason }: EventData<'EmailRestored'>,
): EmailContent => ({
  subject: 'Your LendTools account no longer has this email',
  neutralSubject: null,
  heading: 'Your account has its earlier email again',
  paragraphs: [
    greet(firstName, 'one of our admins gave your account the email again that it had before.'),
    reasonInWords(reason),
    'If you didn’t ask for it, please contact support.',
  ],
  button: { label: 'Go to LendTools', url: site },
});

export const passwordChangedEmail = (
  site: string,
  { firstName }: { firstName: string },
): EmailContent => ({
  subject: 'Your LendTools password was changed',
  neutralSubject: null,
  heading: 'Your password was changed',
  paragraphs: [
    greet(firstName, 'the password of your account was changed.'),
    'All other devices have been logged out, and your calendar’s address has ended.',
  ],
  button: { label: 'It wasn’t me: reset my password', url: site + pages.passwordRequest },
  footnote: 'If it was you, there’s nothing else to do.',
});

export const newDeviceEmail = (
  site: string,
  login: {
    firstName: string;
    device: string | null;
    place: string | null;
    timeZone: string;
    at: string;
  },
): EmailContent => ({
  subject: 'A new device logged in to your LendTools account',
  neutralSubject: null,
  heading: 'Was this you?',
  paragraphs: [
    greet(
      login.firstName,
      'someone just logged in to your account from a device or network that’s new to us.',
    ),
  ],
  facts: [
    ['Device', login.device ?? 'Unknown'],
    ['Place', login.place ?? 'Unknown'],
    ['Time', instantInWords(login.at, login.timeZone)],
  ],
  button: { label: 'It wasn’t me: reset my password', url: site + pages.passwordRequest },
  link: { label: 'See where you’re logged in', url: site + pages.security },
  footnote: 'If it was you, there’s nothing else to do.',
});

const secondFactorWords: Record<SecondFactorChange, { heading: string; text: string }> = {
  added: {
    heading: 'Your logins need a code now',
    text: 'an authenticator app was added to your account. Keep your recovery codes in a safe place.',
  },
  removed: {
    heading: 'Your logins need no code any more',
    text: 'the authenticator app was removed from your account.',
  },
  'passkey-added': {
    heading: 'You have a new passkey',
    text: 'a passkey was added to your account. It logs you in without your password.',
  },
  'passkey-removed': {
    heading: 'A passkey was removed',
    text: 'a passkey was removed from your account. It no longer logs you in.',
  },
  'removed-by-admin': {
    heading: 'Your logins need only your password',
    text: 'one of our admins removed the authenticator app, the passkeys and the recovery codes of your account, and logged out all devices.',
  },
  'recovery-codes-renewed': {
    heading: 'You have new recovery codes',
    text: 'the recovery codes of your account were replaced. The earlier ones no longer work.',
  },
  'recovery-code-used': {
    heading: 'A recovery code was used',
    text: 'someone just logged in to your account with a recovery code.',
  },
};

/** The advice in an email about a second factor. Empty for most changes. */
const secondFactorAdvice = ({
  change,
  recoveryCodesLeft,
  reason,
}: EventData<'SecondFactorChanged'>): string[] => {
  if (change === 'recovery-code-used')
    return [`Codes left: ${recoveryCodesLeft}. You can get new ones in Settings.`];
  if (change === 'passkey-added')
    return [
      'If it wasn’t you, remove it in Settings and reset your password. If you can’t log in, contact support.',
    ];
  if (change === 'removed-by-admin' && reason)
    return [
      reasonInWords(reason),
      'If you didn’t ask for it, reset your password and contact support.',
    ];
  return [];
};

export const secondFactorEmail = (
  site: string,
  changed: EventData<'SecondFactorChanged'>,
): EmailContent => {
  const { heading, text } = secondFactorWords[changed.change];
  return {
    subject: `LendTools: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    neutralSubject: null,
    heading,
    paragraphs: [greet(changed.firstName, text), ...secondFactorAdvice(changed)],
    button: { label: 'It wasn’t me: reset my password', url: site + pages.passwordRequest },
    link: { label: 'See your login and security', url: site + pages.security },
    footnote: 'If it was you, there’s nothing else to do.',
  };
};

export const calendarFeedCreatedEmail = (
  site: string,
  { firstName }: { firstName: string },
): EmailContent => ({
  subject: 'A new address for your LendTools calendar',
  neutralSubject: null,
  heading: 'Your calendar has a new address',
  paragraphs: [
    greet(
      firstName,
      'a secret address for your calendar was just created with your password. Anyone who has it sees what you rent ' +
        'and lend, and where you pick it up.',
    ),
    'If it wasn’t you, reset your password: that ends the address too.',
  ],
  button: { label: 'It wasn’t me: reset my password', url: site + pages.passwordRequest },
  footnote:
    'If it was you, there’s nothing else to do. You can turn the address off in your profile.',
});

/** `deletionDueAt` is null if the user keeps the account, or an admin disabled it. */
export const accountDeletionEmail = (
  site: string,
  {
    firstName,
    timeZone,
    deletionDueAt,
    disabled,
  }: { firstName: string; timeZone: string; deletionDueAt: string | null; disabled: boolean },
): EmailContent => {
  const button = { label: 'It wasn’t me: reset my password', url: site + pages.passwordRequest };
  if (deletionDueAt === null && disabled)
    return {
      subject: 'Your LendTools account will not be deleted',
      neutralSubject: null,
      heading: 'Your account will not be deleted',
      paragraphs: [
        greet(
          firstName,
          'we have disabled your account, which ends the deletion that you requested.',
        ),
        'If we enable the account again, you can request the deletion again.',
      ],
      button: { label: 'To LendTools', url: site },
    };
  if (deletionDueAt === null)
    return {
      subject: 'Your LendTools account stays',
      neutralSubject: null,
      heading: 'Welcome back',
      paragraphs: [greet(firstName, 'your account is open again, and it will not be deleted.')],
      button,
      footnote: 'If it was you, there’s nothing else to do.',
    };
  const when = instantInWords(deletionDueAt, timeZone);
  return {
    subject: 'Your LendTools account will be deleted',
    neutralSubject: null,
    heading: 'Your account will be deleted',
    paragraphs: [
      greet(
        firstName,
        `your account is closed, and will be deleted on ${when}, or once nothing is open any more.`,
      ),
      'Until then you can log in to keep it. Afterwards your name, addresses, phone and pictures are gone for good.',
    ],
    button: { label: 'Keep my account', url: site + pages.login },
    link: button,
    footnote: 'If you want it deleted, there’s nothing else to do.',
  };
};

export const dataExportEmail = (
  site: string,
  data: { firstName: string; timeZone: string; exportId: string; expiresAt: string },
): EmailContent => ({
  subject: 'Your LendTools data is ready',
  neutralSubject: null,
  heading: 'Your data is ready',
  paragraphs: [
    greet(
      data.firstName,
      'the file with your data is ready. To download it, log in and confirm your password.',
    ),
    `You can download it until ${instantInWords(data.expiresAt, data.timeZone)}.`,
  ],
  button: { label: 'Download my data', url: `${site}${pages.myData}?export=${data.exportId}` },
  link: { label: 'It wasn’t me: reset my password', url: site + pages.passwordRequest },
  footnote: 'Nobody can open the file with this email alone.',
});
