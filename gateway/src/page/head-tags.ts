import { cardSizes, coverSizes, endpoints, imageSet } from '@lendtools/contracts';
import type { FoundTool } from './found-tools.ts';

export interface PageFacts {
  title: string;
  /** The title without the name of the site, because link previews show that name separately. */
  name: string;
  description: string;
  /** The canonical path, with a leading slash; null if search engines must not index the page. */
  address: string | null;
  image: { path: string; words: string };
  type: 'website' | 'product';
  /** Shown until the app has loaded: a heading (with the cover picture, if a tool has one), or the tools that a search found. */
  first?: { heading: string; cover?: string | undefined } | { tools: FoundTool[] } | undefined;
  /** The page's schema.org data, without `@context`. */
  data?: Record<string, unknown>;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] as string);

/** Escapes `<`: `</script` in a text would end the script element, and `<!--` would change how it is parsed. */
const scriptJson = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;

/** Escapes every text, because users write the names of tools. */
const headTags = (facts: PageFacts, origin: string): string => {
  const { title, name, description, address, image, type, data } = facts;
  const url = address === null ? null : origin + address;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...(url
      ? [`<link rel="canonical" href="${escapeHtml(url)}">`, meta('property', 'og:url', url)]
      : [meta('name', 'robots', 'noindex')]),
    meta('property', 'og:site_name', 'LendTools'),
    meta('property', 'og:type', type),
    meta('property', 'og:title', name),
    meta('property', 'og:description', description),
    meta('property', 'og:image', origin + image.path),
    meta('property', 'og:image:alt', image.words),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...(data
      ? [
          `<script type="application/ld+json">${scriptJson({ '@context': 'https://schema.org', ...data })}</script>`,
        ]
      : []),
  ].join('\n    ');
};

const head = /<!--page-->[\s\S]*?<!--\/page-->/;
const firstHeading = /<!--first-->[\s\S]*?<!--\/first-->/;

/** An image element with the same `sizes` as the app's, so that the browser downloads the picture only once. */
const pictureTag = (path: string, sizes: string): string =>
  `<img src="${escapeHtml(path)}" srcset="${escapeHtml(imageSet(path))}" sizes="${sizes}" alt="" fetchpriority="high">`;

const cardTag = ({ name, cover_image }: FoundTool): string => {
  const isOurs = cover_image.startsWith(endpoints.images);
  const picture = isOurs ? pictureTag(cover_image, cardSizes) : '<span></span>';
  return `<figure>${picture}<figcaption>${escapeHtml(name)}</figcaption></figure>`;
};

const firstScreen = (first: NonNullable<PageFacts['first']>): string => {
  if ('tools' in first) return `<i></i><div>${first.tools.map(cardTag).join('')}</div>`;
  const { heading, cover } = first;
  return `<b>${escapeHtml(heading)}</b>${cover ? pictureTag(cover, coverSizes) : ''}`;
};

export const withFacts = (page: string, facts: PageFacts, origin: string): string =>
  page
    // Pass a function: in a replacement string, `$&` and similar patterns would be expanded.
    .replace(head, () => headTags(facts, origin))
    .replace(firstHeading, (line) => (facts.first ? firstScreen(facts.first) : line));
