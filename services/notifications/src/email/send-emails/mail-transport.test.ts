import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { testServers, waitFor } from '@lendtools/testing';
import { createMailTransport } from './mail-transport.ts';

interface Caught {
  to: { address: string; name: string }[];
  from: { address: string; name: string }[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  attachments?: { fileName: string; contentType: string }[];
}

it('an email arrives at the mail server unchanged, with its calendar file', async () => {
  const { smtpUrl, inboxUrl } = testServers();
  const address = `${randomUUID()}@example.com`;
  const transport = createMailTransport({
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'LendTools <hello@lendtools.test>',
    PUBLIC_URL: 'http://lendtools.test',
  });

  await transport.send({
    _id: randomUUID(),
    to: { name: 'Zoë "Ö" Núñez', address },
    subject: 'Your drill — tomorrow, 9 a.m. ✓',
    text: 'Grüße.\n.\nA line with a dot alone came before this one.',
    html: '<p>Grüße</p>',
    calendar: 'BEGIN:VCALENDAR\r\nMETHOD:PUBLISH\r\nEND:VCALENDAR\r\n',
  } as never);

  const email = await waitFor('the email', async () => {
    const caught = (await (await fetch(`${inboxUrl}/email`)).json()) as Caught[];
    return caught.find(({ to }) => to[0]?.address === address);
  });
  transport.close();
  expect(email).toMatchObject({
    // Characters that could start another name or address become spaces.
    to: [{ address, name: 'Zoë  Ö  Núñez' }],
    from: [{ address: 'hello@lendtools.test', name: 'LendTools' }],
    subject: 'Your drill — tomorrow, 9 a.m. ✓',
    text: expect.stringMatching(/^Grüße\.\n\.\nA line with a dot alone came before this one\.\s*$/),
    html: expect.stringContaining('<p>Grüße</p>'),
    headers: { 'auto-submitted': 'auto-generated' },
    attachments: [{ fileName: 'booking.ics', contentType: 'text/calendar' }],
  });
});
