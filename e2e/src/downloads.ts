import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';

interface SavedFile {
  name: string;
  bytes: Uint8Array;
}

/** Presses the button and returns the file that it saves. */
export const fileSavedBy = async (page: Page, button: RegExp): Promise<SavedFile> => {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).first().click();
  const download = await saving;
  const bytes = new Uint8Array(await readFile(await download.path()));
  return { name: download.suggestedFilename(), bytes };
};

export const textOfPdf = async (bytes: Uint8Array): Promise<string> => {
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  return text.replace(/\s+/g, ' ');
};
