import { calendarFile, type Topic } from '@lendtools/contracts';
import { topicWords } from '@lendtools/contracts/topic-words';
import type { EmailContent } from './email-content.ts';
import { plainText } from './plain-text.ts';

/** The link in the footer of an email that its user can turn off. */
export interface Unsubscribe {
  topic: Topic;
  url: string;
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

/** Email programs load no fonts: the site's font shows only if the reader has it installed. */
const headingFont =
  "'Bricolage Grotesque Variable','Bricolage Grotesque','Inter Variable',Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const textFont =
  "'Inter Variable',Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const day = {
  paper: '#faf6f0',
  card: '#ffffff',
  ink: '#211d18',
  quiet: '#564d43',
  line: '#e9e1d4',
  orange: '#bc450b',
};
/** Colors for email programs that support a dark mode; others invert the light colors. */
const night = {
  paper: '#1b1815',
  card: '#25211c',
  ink: '#f1ebe2',
  quiet: '#b3a99b',
  line: '#3a342d',
  orange: '#ffab77',
};

const style = `<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme: dark){
.lt-paper{background:${night.paper}!important}
.lt-card{background:${night.card}!important;border-color:${night.line}!important}
.lt-ink{color:${night.ink}!important}
.lt-quiet{color:${night.quiet}!important}
.lt-orange{color:${night.orange}!important}
.lt-line{border-color:${night.line}!important}
.lt-button{background:${day.orange}!important;color:#ffffff!important}
}
@media (max-width:480px){
.button-table{width:100%!important}
.pad{padding:24px 20px!important}
}
</style>`;

/** The logo is a table cell, because email programs block images and drop SVG. */
const logo = (site: string): string =>
  `<a href="${escapeHtml(site)}" class="lt-ink" style="text-decoration:none;color:${day.ink}">
<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td width="36" height="36" align="center" bgcolor="${day.orange}" style="border-radius:10px;color:#ffffff;font:bold 20px/36px ${headingFont}">L</td>
<td class="lt-ink" style="padding-left:10px;font:bold 20px/36px ${headingFont};color:${day.ink}">Lend<span class="lt-orange" style="color:${day.orange}">Tools</span></td>
</tr></table></a>`;

const factRow = ([label, value]: [string, string]): string => `<tr>
<td class="lt-quiet lt-line" style="padding:10px 12px 10px 0;border-top:1px solid ${day.line};font:14px/20px ${textFont};color:${day.quiet};white-space:nowrap;vertical-align:top">${escapeHtml(label)}</td>
<td class="lt-ink lt-line" style="padding:10px 0;border-top:1px solid ${day.line};font:bold 14px/20px ${textFont};color:${day.ink};word-break:break-word">${lines(value)}</td></tr>`;

const factTable = (facts: [string, string][]): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="lt-line" style="margin:8px 0 24px;border-bottom:1px solid ${day.line}">${facts.map(factRow).join('')}</table>`;

const paragraph = (text: string): string =>
  `<p class="lt-ink" style="margin:0 0 16px;font:16px/24px ${textFont};color:${day.ink};overflow-wrap:anywhere">${lines(text)}</p>`;

const unsubscribeLink = ({ topic, url }: Unsubscribe): string =>
  `<br><a href="${escapeHtml(url)}" class="lt-quiet" style="color:${day.quiet}">Stop emails about ${topicWords[topic]}</a>`;

/** Invisible padding: without it, email programs would fill the preview line with the text that follows. */
const padding = '&#847;&zwnj;&nbsp;'.repeat(90);

/** Uses only tables and inline styles, because many email programs support nothing else. */
const html = (
  email: EmailContent,
  site: string,
  unsubscribe?: Unsubscribe,
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(email.subject)}</title>
${style}</head>
<body class="lt-paper" style="margin:0;background:${day.paper}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all" aria-hidden="true">${escapeHtml(email.preheader ?? email.paragraphs[0] ?? '')}${padding}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="${day.paper}" class="lt-paper"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 8px 16px">${logo(site)}</td></tr>
<tr><td bgcolor="${day.card}" class="lt-card pad" style="padding:28px 24px;border:1px solid ${day.line};border-radius:12px">
<h1 class="lt-ink" style="margin:0 0 16px;font:bold 24px/30px ${headingFont};color:${day.ink};overflow-wrap:anywhere">${escapeHtml(email.heading)}</h1>
${email.paragraphs.map(paragraph).join('\n')}
${email.facts ? factTable(email.facts) : ''}
<table role="presentation" cellpadding="0" cellspacing="0" class="button-table"><tr><td align="center" bgcolor="${day.orange}" style="border-radius:12px">
<a href="${escapeHtml(email.button.url)}" class="lt-button" style="display:block;padding:14px 24px;border-radius:12px;background:${day.orange};font:bold 16px/20px ${textFont};color:#ffffff;text-decoration:none">${escapeHtml(email.button.label)}</a>
</td></tr></table>
${email.link ? `<p style="margin:16px 0 0;font:16px/24px ${textFont}"><a href="${escapeHtml(email.link.url)}" class="lt-orange" style="color:${day.orange}">${escapeHtml(email.link.label)}</a></p>` : ''}
${email.footnote ? `<p class="lt-quiet" style="margin:24px 0 0;font:14px/20px ${textFont};color:${day.quiet}">${lines(email.footnote)}</p>` : ''}
</td></tr>
<tr><td class="lt-quiet" style="padding:16px 8px;font:13px/20px ${textFont};color:${day.quiet}">Rent &amp; Lend Tools in Your Neighborhood<br>
You’re receiving this because you have an account at <a href="${escapeHtml(site)}" class="lt-quiet" style="color:${day.quiet}">${escapeHtml(new URL(site).host)}</a>.${unsubscribe ? unsubscribeLink(unsubscribe) : ''}</td></tr>
</table></td></tr></table></body></html>`;

/** Subjects contain names that users chose, so force them to one line. */
const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200);

export const layOut = (email: EmailContent, site: string, unsubscribe?: Unsubscribe) => ({
  subject: oneLine(email.subject),
  html: html(email, site, unsubscribe),
  text: plainText(email, site, unsubscribe),
  ...(email.receipts?.length && { receipts: email.receipts }),
  ...(email.calendar && { calendar: calendarFile([email.calendar], { organizer: site }) }),
});
