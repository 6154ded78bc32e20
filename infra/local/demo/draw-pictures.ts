import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';

/** Pictures are 4:3, as the cards show them. */
const width = 1280;
const height = 960;

/** Two soft colours and an ink for each mood; every category has one of its own. */
const palettes = {
  amber: ['#ffe3bf', '#f7a35c', '#5b2b0a'],
  moss: ['#e3efcf', '#9dbf72', '#26401a'],
  sky: ['#dcecf7', '#86b6d9', '#16354d'],
  rose: ['#fbe0dc', '#e69a8d', '#5a1f1a'],
  plum: ['#ece0f2', '#b594c9', '#3b2150'],
  teal: ['#d8f0ea', '#79bfae', '#123f38'],
  sand: ['#f4ead8', '#d1b384', '#473413'],
  slate: ['#e6e8ec', '#9aa5b5', '#262f3d'],
} as const;

export type Palette = keyof typeof palettes;

export interface Look {
  skin: string;
  hair: string;
  shirt: string;
  palette: Palette;
  hairStyle: 'short' | 'long' | 'bun' | 'beard';
}

const require = createRequire(import.meta.url);

/** How one icon is shown: whole, close by, or among its smaller kin. */
const views = [
  { scale: 29, turn: 0, x: 0, y: -14 },
  { scale: 44, turn: -14, x: 90, y: 40 },
  { scale: 18, turn: 10, x: -170, y: -60 },
];

/** A tool's picture: an icon of the Tabler set as a paper sticker on a soft gradient, as JPEG. */
export async function drawTool(icon: string, palette: Palette, view: number): Promise<Buffer> {
  const [light, deep, ink] = palettes[palette];
  const { scale, turn, x, y } = views[view % views.length] ?? { scale: 24, turn: 0, x: 0, y: 0 };
  const paths = iconPaths(icon);
  const place = `translate(${width / 2 + x} ${height / 2 + y}) rotate(${turn}) scale(${scale}) translate(-12 -12)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="back" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${deep}"/>
      </linearGradient>
      <radialGradient id="glow"><stop offset="0" stop-color="#fff" stop-opacity=".75"/>
        <stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#back)"/>
    <circle cx="${width * 0.3}" cy="${height * 0.28}" r="430" fill="url(#glow)"/>
    <circle cx="${width * 0.9}" cy="${height * 0.95}" r="330" fill="${light}" opacity=".35"/>
    <circle cx="${width * 0.06}" cy="${height * 0.9}" r="170" fill="${deep}" opacity=".3"/>
    <g transform="translate(14 26)" fill="${ink}" stroke="${ink}" opacity=".1" stroke-linejoin="round" stroke-linecap="round">
      <g transform="${place}" stroke-width="4.6">${paths}</g>
    </g>
    <g transform="translate(9 17)" fill="${ink}" stroke="${ink}" opacity=".14" stroke-linejoin="round" stroke-linecap="round">
      <g transform="${place}" stroke-width="4">${paths}</g>
    </g>
    <g transform="${place}" stroke-linejoin="round" stroke-linecap="round">
      <g fill="#fffdf8" stroke="#fffdf8" stroke-width="3.6">${paths}</g>
      <g fill="none" stroke="${ink}" stroke-width="1.35">${paths}</g>
    </g>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 86 }).toBuffer();
}

/** A friendly face made of a few shapes; no two of the neighbourhood look the same. */
export async function drawFace(look: Look): Promise<Buffer> {
  const [light, deep] = palettes[look.palette];
  const mouth = look.hairStyle === 'beard' ? '#fffdf8' : '#2a211b';
  const hair = {
    short: `<path d="M180 300a140 150 0 0 1 280 0c-30-60-80-80-140-80s-110 20-140 80z" fill="${look.hair}"/>`,
    long: `<path d="M165 470V300a155 165 0 0 1 310 0v170h-60V300c-40-20-60-40-95-80-35 40-55 60-95 80v170z" fill="${look.hair}"/>`,
    bun: `<circle cx="320" cy="130" r="58" fill="${look.hair}"/><path d="M178 310a142 155 0 0 1 284 0c-25-70-80-95-142-95s-117 25-142 95z" fill="${look.hair}"/>`,
    beard: `<path d="M190 310c6 110 40 180 130 180s124-70 130-180c-20 40-30 60-50 66-50-26-110-26-160 0-20-6-30-26-50-66z" fill="${look.hair}"/>`,
  }[look.hairStyle];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640">
    <defs><linearGradient id="back" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${deep}"/></linearGradient></defs>
    <rect width="640" height="640" fill="url(#back)"/>
    <path d="M90 660c0-130 100-190 230-190s230 60 230 190z" fill="${look.shirt}"/>
    <rect x="272" y="400" width="96" height="110" rx="44" fill="${look.skin}"/>
    <ellipse cx="320" cy="320" rx="130" ry="148" fill="${look.skin}"/>
    ${hair}
    <g fill="#2a211b"><circle cx="272" cy="322" r="11"/><circle cx="368" cy="322" r="11"/></g>
    <path d="M280 396q40 36 80 0" fill="none" stroke="${mouth}" stroke-width="9" stroke-linecap="round"/>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
}

/** What stands between the tags of an icon's file, which is drawn on a field of 24 by 24. */
function iconPaths(name: string): string {
  const file = require.resolve(`@tabler/icons/outline/${name}.svg`);
  const svg = readFileSync(file, 'utf8').replace(/<!--.*?-->/gs, '');
  return svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'));
}
