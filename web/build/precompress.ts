import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const smallestBytes = 1_000;
const packers = {
  '.br': (text: string) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      },
    }),
  '.gz': (text: string) => promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
};

/** Compresses scripts and styles at build time, because the best compression is too slow for each request. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.values(bundle).flatMap((file) => {
        if (file.type === 'chunk') return [{ name: file.fileName, text: file.code }];
        return /\.(css|svg)$/.test(file.fileName)
          ? [{ name: file.fileName, text: file.source.toString() }]
          : [];
      });
      await Promise.all(
        texts
          .filter(({ text }) => text.length >= smallestBytes)
          .flatMap(({ name, text }) =>
            Object.entries(packers).map(async ([end, pack]) =>
              writeFile(path.join(dir, name + end), await pack(text)),
            ),
          ),
      );
    },
  };
}
