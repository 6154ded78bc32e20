import { parseArgs } from 'node:util';
import { fail, readCommandLine, readRunFile } from '@lendtools/service-kit/command-line';
import { asStoreSettings, picturesOf, withPictures } from '../backup/stores.ts';
import { type Moved, movePictures } from './move-pictures.ts';

const settings = 'ACCOUNTS_IMAGES_DIR, ACCOUNTS_S3_URL, CATALOG_IMAGES_DIR and CATALOG_S3_URL';
const usage = `npm run move-pictures

Moves the pictures from their folders to their buckets, while the services run, whose S3_URL is set already. Each file is
read back and compared before it leaves its folder. If it is interrupted, run it again: it continues where it stopped.

--home <folder>   of the marketplace (default .local); or set
  ${settings}`;

const { home } = readCommandLine(
  usage,
  (args) => parseArgs({ args, options: { home: { type: 'string', default: '.local' } } }).values,
);

const findPictures = async () => {
  const given = picturesOf(process.env);
  if (Object.values(given).some(({ IMAGES_DIR, S3_URL }) => IMAGES_DIR || S3_URL)) return given;
  const run = await readRunFile(home, `set ${settings}`);
  return picturesOf(asStoreSettings(run.settings));
};

const inWords = (service: string, { moved, bytes }: Moved): string =>
  `${moved}\tfiles of pictures of ${service}, ${(bytes / 1_000_000).toFixed(1)} MB`;

try {
  const pictures = await findPictures();
  for (const service of withPictures) {
    const report = (soFar: Moved) => console.log(`${inWords(service, soFar)} so far`);
    console.log(
      `${inWords(service, await movePictures(service, pictures[service], report))} moved`,
    );
  }
} catch (error) {
  fail((error as Error).message);
}
