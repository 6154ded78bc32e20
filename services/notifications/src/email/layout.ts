/** What an e-mail says; the layout makes one look of all of them, and a plain-text part. */
export interface Letter {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** Label and value, as a small table. */
  facts?: [string, string][];
  button: { label: string; url: string };
  /** Small print, such as what to do if it was not you. */
  footnote?: string;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => escapes[found] ?? '');
const lines = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>');

const serif = "Georgia,'Iowan Old Style',serif";
const sans = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const [paper, card, ink, quiet, line, orange] = [
  '#faf6f0',
  '#ffffff',
  '#211d18',
  '#564d43',
  '#e9e1d4',
  '#bc450b',
];

/** The mark is drawn with a table cell: mail programs block pictures and drop SVG. */
const logo = (site: string): string =>
  `<a href="${escapeHtml(site)}" style="text-decoration:none;color:${ink}">
<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td width="36" height="36" align="center" bgcolor="${orange}" style="border-radius:10px;color:#ffffff;font:bold 20px/36px ${serif}">L</td>
<td style="padding-left:10px;font:bold 20px/36px ${serif};color:${ink}">Lend<span style="color:${orange}">Tools</span></td>
</tr></table></a>`;

const factRow = ([label, value]: [string, string]): string => `<tr>
<td style="padding:10px 12px 10px 0;border-top:1px solid ${line};font:14px/20px ${sans};color:${quiet};white-space:nowrap;vertical-align:top">${escapeHtml(label)}</td>
<td style="padding:10px 0;border-top:1px solid ${line};font:bold 14px/20px ${sans};color:${ink}">${lines(value)}</td></tr>`;

const factTable = (facts: [string, string][]): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 24px;border-bottom:1px solid ${line}">${facts.map(factRow).join('')}</table>`;

/** Tables and inline styles alone: what every mail program understands, readable at the width of a phone. */
const html = (letter: Letter, site: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escapeHtml(letter.subject)}</title></head>
<body style="margin:0;background:${paper}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(letter.paragraphs[0] ?? '')}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="${paper}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 8px 16px">${logo(site)}</td></tr>
<tr><td bgcolor="${card}" style="padding:28px 24px;border:1px solid ${line};border-radius:12px">
<h1 style="margin:0 0 16px;font:bold 24px/30px ${serif};color:${ink}">${escapeHtml(letter.heading)}</h1>
${letter.paragraphs.map((text) => `<p style="margin:0 0 16px;font:16px/24px ${sans};color:${ink}">${lines(text)}</p>`).join('\n')}
${letter.facts ? factTable(letter.facts) : ''}
<table role="presentation" cellpadding="0" cellspacing="0"><tr><td bgcolor="${orange}" style="border-radius:12px">
<a href="${escapeHtml(letter.button.url)}" style="display:inline-block;padding:14px 24px;font:bold 16px/20px ${sans};color:#ffffff;text-decoration:none">${escapeHtml(letter.button.label)}</a>
</td></tr></table>
${letter.footnote ? `<p style="margin:24px 0 0;font:14px/20px ${sans};color:${quiet}">${lines(letter.footnote)}</p>` : ''}
</td></tr>
<tr><td style="padding:16px 8px;font:13px/20px ${sans};color:${quiet}">Rent &amp; Lend Tools in Your Neighborhood<br>
You’re receiving this because you have an account at <a href="${escapeHtml(site)}" style="color:${quiet}">${escapeHtml(new URL(site).host)}</a>.</td></tr>
</table></td></tr></table></body></html>`;

const plain = (letter: Letter, site: string): string =>
  [
    letter.heading,
    ...letter.paragraphs,
    ...(letter.facts
      ? [letter.facts.map(([label, value]) => `${label}: ${value}`).join('\n')]
      : []),
    `${letter.button.label}:\n${letter.button.url}`,
    ...(letter.footnote ? [letter.footnote] : []),
    `-- \nLendTools · ${site}`,
  ].join('\n\n');

/** Subjects carry names that people chose: one line, whatever is in them. */
const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200);

export const layOut = (letter: Letter, site: string) => ({
  subject: oneLine(letter.subject),
  html: html(letter, site),
  text: plain(letter, site),
});
