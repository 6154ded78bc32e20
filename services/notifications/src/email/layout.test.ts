import { describe, expect, it } from '@jest/globals';
import type { EmailContent } from './email-content.ts';
import { layOut } from './layout.ts';

const site = 'https://tools.example';
const email: EmailContent = {
  subject: 'You booked Drill: LT123456',
  neutralSubject: 'Your booking is confirmed',
  heading: 'Congratulations, it’s booked!',
  paragraphs: [
    'Hammer drill is yours from Monday, June 1, 2026. Show Sam your booking code when you pick it up at the side door.',
    'Bring a bag.',
  ],
  facts: [
    ['Booking code', 'LT123456'],
    ['Where', 'Sam Okafor\n12 Alder Street, Portland'],
  ],
  button: { label: 'See your booking', url: `${site}/user/my-bookings?id=1&from=mail` },
  footnote: 'A question? Write to Sam.',
};

const preheaderOf = (html: string): string =>
  /<body[^>]*>\s*<div[^>]*display:none[^>]*>([^<]*?)(?:&#847;|<)/.exec(html)?.[1]?.trim() ?? '';

describe('the HTML of an email', () => {
  it('shows its first sentence or a given text in the preview, without the logo and the heading', () => {
    const [first, own] = [
      layOut(email, site).html,
      layOut({ ...email, preheader: 'LT123456, from June 1' }, site).html,
    ];

    expect(preheaderOf(first)).toBe(
      'Hammer drill is yours from Monday, June 1, 2026. Show Sam your booking code when you pick it up at the side door.',
    );
    expect(preheaderOf(own)).toBe('LT123456, from June 1');
    // Enough invisible padding to keep the following text out of the preview.
    expect(own.match(/&#847;/g)?.length).toBeGreaterThan(80);
  });

  it('contains dark colors and declares them', () => {
    const { html } = layOut(email, site);

    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
    const dark = /@media \(prefers-color-scheme: ?dark\) ?\{(.*?)\}\s*\}/s.exec(html)?.[1] ?? '';
    const colored = new Set(
      html
        .match(/class="([^"]+)"/g)
        ?.join(' ')
        .match(/\blt-\w+/g),
    );
    expect(colored.size).toBeGreaterThan(4);
    for (const name of colored) expect(dark).toContain(`.${name}`);
  });

  it('uses the site’s fonts', () => {
    const { html } = layOut(email, site);

    expect(html).toContain("'Bricolage Grotesque Variable'");
    expect(html).toContain("'Inter Variable'");
  });

  it('has one button', () => {
    const { html } = layOut(email, site);

    expect(html.match(/class="[^"]*lt-button/g)).toHaveLength(1);
    expect(html).toContain('href="https://tools.example/user/my-bookings?id=1&amp;from=mail"');
  });

  it('escapes all text by users', () => {
    const typed = `"><script>alert('x')</script>&amp;`;
    const hostile: EmailContent = {
      subject: typed,
      heading: typed,
      paragraphs: [typed],
      preheader: typed,
      neutralSubject: null,
      facts: [[typed, typed]],
      button: { label: typed, url: `${site}/?q=${typed}` },
      footnote: typed,
    };

    const { html } = layOut(hostile, site);

    expect(html).not.toContain('<script');
    expect(html).not.toContain(`"><&lt;`);
    expect(html).not.toContain(`"><script`);
    expect(html.split('&lt;script&gt;').length - 1).toBe(9);
    expect(html).toContain('&amp;amp;');
  });
});

describe('the plain text of an email', () => {
  it('contains the heading, text, facts, link and signature', () => {
    expect(layOut(email, site).text).toBe(`Congratulations, it’s booked!
=============================

Hammer drill is yours from Monday, June 1, 2026. Show Sam your booking code when you pick it up at the side door.

Bring a bag.

Booking code:  LT123456
Where:         Sam Okafor
               12 Alder Street, Portland

See your booking:
https://tools.example/user/my-bookings?id=1&from=mail

A question? Write to Sam.

-- 
LendTools: Rent & Lend Tools in Your Neighborhood
https://tools.example`);
  });
});

describe('an email that users can turn off', () => {
  it('ends with the link that stops emails about its topic, as text and as HTML', () => {
    const url = `${site}/unsubscribe?token=1.messages.x`;

    const { html, text } = layOut(email, site, { topic: 'messages', url });

    expect(text).toContain(`Stop emails about messages:\n${url}`);
    expect(html).toMatch(/<a href="[^"]+messages[.]x"[^>]*>Stop emails about messages<\/a>/);
    expect(layOut(email, site).html).not.toContain('Stop emails');
  });
});
