import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { createDeviceCookie } from './device-cookie.ts';

const site = 'https://lendtools.test';
const cookie = createDeviceCookie(Buffer.alloc(32, 1), site);

/** A fake browser that keeps the last cookie it received. */
const newDevice = () => {
  let kept = '';
  const request = (): Request => ({ headers: { cookie: `a=b; ${kept}` } }) as never;
  return {
    logIn(email: string, by = cookie) {
      let path = '';
      const response = {
        cookie(name: string, value: string, attributes: { path: string }) {
          kept = `${name}=${value}`;
          path = attributes.path;
        },
      };
      by.remember(request(), response as unknown as Response, email);
      return path;
    },
    isKnownTo: (email: string, by = cookie) => by.isKnown(request(), email),
    read: () => kept,
    write(value: string) {
      kept = value;
    },
  };
};

afterEach(() => void jest.restoreAllMocks());

describe('the device cookie', () => {
  it('recognizes only accounts that have logged in on the device, ignoring the case of their emails', () => {
    const device = newDevice();
    device.logIn('sam@example.com');
    device.logIn('joan@example.com');

    expect(device.isKnownTo('Sam@Example.com')).toBe(true);
    expect(device.isKnownTo('joan@example.com')).toBe(true);
    expect(device.isKnownTo('eli@example.com')).toBe(false);
    expect(device.read()).not.toContain('sam');
  });

  it('keeps the five most recently used accounts', () => {
    const device = newDevice();
    const emails = [1, 2, 3, 4, 5, 6].map((i) => `person-${i}@example.com`);

    for (const email of [...emails, ...emails.slice(1, 2)]) device.logIn(email);

    expect(emails.map((email) => device.isKnownTo(email))).toEqual([
      ...[false, true, true, true, true, true],
    ]);
  });

  it('accepts only entries signed by the server, for a year', () => {
    const device = newDevice();
    device.logIn('sam@example.com', createDeviceCookie(Buffer.alloc(32, 2), site));
    const forged = device.isKnownTo('sam@example.com');
    device.logIn('sam@example.com');
    const [name, value = ''] = device.read().split('=');
    const [day = '', mac] = value.split('.');
    device.write(`${name}=${Number(day) + 1}.${mac}`);
    const extended = device.isKnownTo('sam@example.com');
    device.write(`${name}=${value}`);
    const inTime = device.isKnownTo('sam@example.com');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 366 * 86_400_000);

    expect([forged, extended, inTime]).toEqual([false, false, true]);
    expect(device.isKnownTo('sam@example.com')).toBe(false);
  });

  it('has the prefix __Host- on an https site, so that no subdomain can set it', () => {
    const device = newDevice();

    const path = device.logIn('sam@example.com');

    expect(device.read()).toMatch(/^__Host-device=/);
    expect(path).toBe('/');
  });

  it('is sent only to the login on a site without https, where browsers reject the prefix', () => {
    const device = newDevice();

    const path = device.logIn(
      'sam@example.com',
      createDeviceCookie(Buffer.alloc(32, 1), 'http://localhost'),
    );

    expect(device.read()).toMatch(/^device=/);
    expect(path).toBe('/api/login');
  });

  it('recognizes a device whose cookie is from before version 1.1', () => {
    const device = newDevice();
    device.logIn('sam@example.com');

    device.write(device.read().replace('__Host-', ''));

    expect(device.isKnownTo('sam@example.com')).toBe(true);
  });
});
