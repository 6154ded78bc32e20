import { describe, expect, it } from '@jest/globals';
import { config } from './config.ts';

const accepts = (url: string): boolean => config.shape.MAP_TILES_URL.safeParse(url).success;

describe('MAP_TILES_URL', () => {
  it('names one host and the three numbers of a picture, or no map', () => {
    expect(accepts('none')).toBe(true);
    expect(accepts('https://tiles.test/{z}/{x}/{y}.png?key=1')).toBe(true);
    expect(accepts('https://{s}.tiles.test/{z}/{x}/{y}.png')).toBe(false);
    expect(accepts('https://tiles.test/{z}/{x}.png')).toBe(false);
    expect(accepts('https://tiles.test/map.png')).toBe(false);
  });
});
