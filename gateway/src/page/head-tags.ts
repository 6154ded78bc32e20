import { cardSizes, coverSizes, endpoints, imageSet } from '@lendtools/contracts';
import type { FoundTool } from './found-tools.ts';

/** What previews of shared links and search engines are told of a page. */
export interface PageFacts {
  title: string;
  /** Shorter than the title, for a preview that names the site by itself. */
  name: string;
  description: string;
  /** The one address under which it is known, with its leading slash; null where it is not for search engines. */
  address: string | null;
  /** A path of the site. */
  image: { path: string; words: string };
  type: 'website' | 'product';
  /** What is seen before the app has come: the page's own heading and, of a tool, the path of its cover; or what a search found. */
  first?: { heading: string; cover?: string | undefined } | { tools: FoundTool[] } | undefined;
  /** schema.org, without its `@context`. */
  data?: Record<string, unknown>;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Safe between tags and in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] as string);

/** JSON that no text in it can end: a script element ends at the first `</script`, and `<!--` changes how it is read. */
const scriptJson = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;

/** The tags of a page's head, every text escaped: names of tools are whatever somebody typed. */
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

/** A picture as the app shows it, so that the browser fetches it once. */
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

/** The built page with what is known of it in the places for that; a page without them stays as it is. */
export const withFacts = (page: string, facts: PageFacts, origin: string): string =>
  page
    // Functions, because `$&` and its kin in a text would be read as commands.
    .replace(head, () => headTags(facts, origin))
    .replace(firstHeading, (line) => (facts.first ? firstScreen(facts.first) : line));
