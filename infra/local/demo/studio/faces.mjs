// Draws the demo's people. Run `npm install @dicebear/core@9.4.3 @dicebear/open-peeps@9.4.3` in some folder, then
// `node faces.mjs FOLDER` from there. Each part is named explicitly, so that a new version changes no face.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const here = createRequire(join(process.cwd(), 'faces.mjs'));
const load = (name) => import(pathToFileURL(here.resolve(name)).href);
const [{ createAvatar }, openPeeps] = await Promise.all([
  load('@dicebear/core'),
  load('@dicebear/open-peeps'),
]);
const sharp = createRequire(import.meta.url)('sharp');

const people = {
  sam: {
    head: 'flatTop',
    face: 'calm',
    skin: '7a4e35',
    shirt: 'e07a3f',
    back: 'f4dfc0',
    beard: 'full',
  },
  maya: {
    head: 'longBangs',
    face: 'smile',
    skin: 'ffdbb4',
    shirt: '5f9c86',
    back: 'd6e8ef',
    hair: 'd6b370',
  },
  ruth: {
    head: 'grayBun',
    face: 'smile',
    skin: 'edb98a',
    shirt: '9b6aa0',
    back: 'f8dcd6',
    glasses: 'glasses2',
    hair: 'e8e1e1',
  },
  theo: {
    head: 'pomp',
    face: 'smile',
    skin: 'edb98a',
    shirt: '4f86ab',
    back: 'd5ece6',
    hair: '724133',
  },
  priya: {
    head: 'long',
    face: 'calm',
    skin: 'ae5d29',
    shirt: 'd9a63c',
    back: 'fbe6c8',
    hair: '2c1b18',
  },
  walt: {
    head: 'short4',
    face: 'calm',
    skin: 'd08b5b',
    shirt: '6f879a',
    back: 'e3e7ec',
    glasses: 'glasses',
    hair: '2c1b18',
  },
  joan: {
    head: 'buns',
    face: 'smile',
    skin: '7a4e35',
    shirt: 'c9574f',
    back: 'ece0f2',
    hair: '2c1b18',
  },
  eli: {
    head: 'hatBeanie',
    face: 'smile',
    skin: 'ffdbb4',
    shirt: '8aa35c',
    back: 'e5efd3',
    beard: 'full2',
    hair: 'b58143',
  },
};

for (const [name, look] of Object.entries(people)) {
  const { head, face, skin, shirt, back, beard, glasses, hair } = look;
  const svg = createAvatar(openPeeps, {
    ...{ seed: name, size: 480, scale: 92, translateY: 4 },
    ...{ head: [head], face: [face], maskProbability: 0 },
    ...{ skinColor: [skin], clothingColor: [shirt], backgroundColor: [back] },
    headContrastColor: [hair ?? '2c1b18'],
    ...{ facialHair: beard ? [beard] : [], facialHairProbability: beard ? 100 : 0 },
    ...{ accessories: glasses ? [glasses] : [], accessoriesProbability: glasses ? 100 : 0 },
  }).toString();
  const file = join(process.argv[2] ?? '.', `${name}.webp`);
  await sharp(Buffer.from(svg)).webp({ quality: 85 }).toFile(file);
}
