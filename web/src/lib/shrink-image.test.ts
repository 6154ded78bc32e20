import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { emptyText, heicText, maxImageBytes, readyToSend, unreadableText } from './shrink-image.ts';

function fileOf(bytes: number, name: string, type: string) {
  const file = new File(['x'], name, { type });
  Object.defineProperty(file, 'size', { value: bytes });
  return file;
}

const decoded = { width: 8000, height: 6000, close: jest.fn() };
let drawn: number[];
beforeEach(() => {
  drawn = [];
  Object.assign(globalThis, { createImageBitmap: jest.fn(async () => decoded) });
  HTMLCanvasElement.prototype.getContext = (() => ({
    fillRect: () => {},
    drawImage: (...[, , , width, height]: number[]) => drawn.push(width ?? 0, height ?? 0),
  })) as never;
  HTMLCanvasElement.prototype.toBlob = (done, type) => done(new Blob(['small'], { type }));
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'createImageBitmap');
});

describe('readyToSend', () => {
  it('returns a picture of up to 10 MB unchanged', async () => {
    const file = fileOf(maxImageBytes, 'saw.png', 'image/png');

    expect(await readyToSend(file)).toBe(file);
    expect(drawn).toEqual([]);
  });

  it('scales a picture over 10 MB down, keeping its proportions', async () => {
    const sent = await readyToSend(fileOf(maxImageBytes + 1, 'IMG 1.PNG', 'image/png'));

    expect(drawn).toEqual([2560, 1920]);
    expect(sent).toMatchObject({ name: 'IMG 1.jpg', type: 'image/jpeg', size: 5 });
    expect(decoded.close).toHaveBeenCalled();
  });

  it('converts HEIC to JPEG if the browser can read it, and rejects it otherwise', async () => {
    const photo = () => fileOf(2_000_000, 'IMG_0042.HEIC', '');

    expect(await readyToSend(photo())).toMatchObject({ name: 'IMG_0042.jpg', type: 'image/jpeg' });

    jest.mocked(createImageBitmap).mockRejectedValue(new Error('undecodable'));
    await expect(readyToSend(photo())).rejects.toThrow(heicText);
  });

  it('rejects an empty file as empty, whatever its name', async () => {
    await expect(readyToSend(fileOf(0, 'saw.png', 'image/png'))).rejects.toThrow(emptyText);
    await expect(readyToSend(fileOf(0, 'IMG_0042.HEIC', ''))).rejects.toThrow(emptyText);
  });

  it('rejects a file that is no image', async () => {
    await expect(readyToSend(fileOf(9, 'list.pdf', 'application/pdf'))).rejects.toThrow(
      unreadableText,
    );
    jest.mocked(createImageBitmap).mockRejectedValue(new Error('undecodable'));
    const named = fileOf(maxImageBytes + 1, 'film.png', 'image/png');
    await expect(readyToSend(named)).rejects.toThrow(unreadableText);
  });
});
