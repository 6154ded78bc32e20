import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskContacts, maskedContact } from './mask-contacts.ts';

const x = maskedContact;

describe('maskContacts', () => {
  it.each([
    ['Write to olga@example.com please', `Write to ${x} please`],
    ['olga.o+tools@mail.example.co.uk', x],
    ['olga @ example.com', `olga @ ${x}`],
    ['olga at example dot com', `olga at ${x}`],
    ['olga (at) example (dot) com', x],
    ['olga[at]example.com', x],
    ['I am olga at gmail', `I am ${x}`],
    ['o\u200bl\u200bga@exa\u200bmple.com', x],
    ['ｏｌｇａ＠ｅｘａｍｐｌｅ．ｃｏｍ', x],
    ['find me, @olga_tools', `find me, ${x}`],
  ])('masks the email or handle in %j', (text, masked) => {
    expect(maskContacts(text)).toBe(masked);
  });

  it.each([
    ['Call 503-555-0123 now', `Call ${x} now`],
    ['+1 (503) 555-0123', `+${x}`],
    ['5 0 3 5 5 5 0 1 2 3', x],
    ['503.555.0123', x],
    ['12.34.56.78.90', x],
    ['five oh three five five five zero one two three', x],
    ['503 five five five 0123', x],
    ['call5035550123', `call${x}`],
    ['５０３ ５５５ ０１２３', x],
    ['٥٠٣٥٥٥٠١٢٣', x],
    ['503:555:0123', x],
    ['503 | 555 | 0123', x],
    ['503;555;0123', x],
    ['503=555=0123', x],
    ['#503#555#0123', `#${x}`],
    ['5️⃣0️⃣3️⃣5️⃣5️⃣5️⃣0️⃣1️⃣2️⃣3️⃣', x],
    ['5\u03320\u03323\u0332-5\u03325\u03325\u0332-0123', x],
    ['503/555/0123', x],
    ['12/05 503-555-0123', `12/05 ${x}`],
    ['5\u20600\u20603\u20605\u20605\u20605\u20600\u20601', x],
  ])('masks the phone number in %j', (text, masked) => {
    expect(maskContacts(text)).toBe(masked);
  });

  it.each([
    ['See https://example.com/a?b=c.', `See ${x}`],
    ['www.example.photos/olga', x],
    ['wa.me/15035550123', x],
    ['It is on example.com/olga, look', `It is on ${x} look`],
    ['example . com', x],
    ['t.me/olga', x],
  ])('masks the link in %j', (text, masked) => {
    expect(maskContacts(text)).toBe(masked);
  });

  it.each([
    'Is it free from 2026-12-05 to 2026-12-06, or 12/05/2026?',
    'Is it free 12/05 - 12/06?',
    '11/27-11/29, or 1/2 to 1/3',
    'From 12/05/26 to 12/06/26, from 12/05/2026-12/06/2026',
    '12/05: 9:00 AM | 12/06: 10:00 AM',
    'Saturday 9.00-18.00 or 9:00 AM to 6:00 PM, 10:30, 11:30',
    'It has a 12.5 inch blade, 1800 W and 230 V.',
    'I finished it. Me too. So it is fine',
    'My booking is LT123456 and costs $24.00',
    'One or two drills, at most three',
    'five zero three, five five five',
    'Meet me at 5, at the dot on the map',
  ])('keeps %j', (text) => {
    expect(maskContacts(text)).toBe(text);
  });

  const name = fc.stringMatching(/^[a-z]{3,8}$/);
  const around = fc.stringMatching(/^[A-Za-z ,!?\n]{0,40}$/);

  it('lets no email, phone number or link through, whatever surrounds it', () => {
    const contact = fc.oneof(
      fc.tuple(name, name).map(([user, host]) => `${user}@${host}.com`),
      fc.stringMatching(/^[2-9]\d{2}[-. ]\d{3}[-. ]\d{4}$/),
      name.map((host) => `https://${host}.example/path`),
    );
    fc.assert(
      fc.property(around, contact, around, (before, hidden, after) => {
        const masked = maskContacts(`${before} ${hidden} ${after}`);
        expect(masked).not.toContain(hidden);
        expect(masked).toContain(maskedContact);
      }),
    );
  });

  it('changes nothing in a masked text, whatever the text was', () => {
    const hostile = fc
      .array(
        fc.constantFrom(
          '@',
          '.',
          'com',
          ' dot ',
          ' at ',
          '(at)',
          '5',
          'five ',
          '://',
          '\u200b',
          'a',
          ' ',
          '-',
          '[',
          '＠',
          '/',
          '12/05',
          ':',
          '\u20e3',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        const once = maskContacts(text);
        expect(maskContacts(once)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps words that are separated by single digits', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{4,9}$/), { maxLength: 20 }), (words) => {
        const text = words.join(' 1 and ');
        fc.pre(!/\b(?:zero|three|four|five|seven|eight|nine)\b/.test(text));
        expect(maskContacts(text)).toBe(text);
      }),
    );
  });
});
