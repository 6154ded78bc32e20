import { describe, expect, it } from '@jest/globals';
import { parseStartOptions } from './start-options.ts';

describe('options of npm start', () => {
  it('default to the home folder .local, the usual port and the demo', () => {
    const options = parseStartOptions([]);

    expect(options).toMatchObject({ port: null, withDemo: true, replicas: new Map() });
    expect(options.home).toMatch(/\/\.local$/);
  });

  it('can be combined', () => {
    const options = parseStartOptions([
      ...['--port', '9000', '--home', '/some/dir', '--no-demo'],
      ...['--replicas', 'bookings=2', '--replicas', 'catalog=3'],
    ]);

    expect(options).toEqual({
      port: 9000,
      home: '/some/dir',
      withDemo: false,
      restore: null,
      replicas: new Map([
        ['bookings', 2],
        ['catalog', 3],
      ]),
    });
  });

  it('exclude the demo with --restore', () => {
    const options = parseStartOptions(['--restore', '/backups/monday']);

    expect(options).toMatchObject({ restore: '/backups/monday', withDemo: false });
  });

  it('must not name a home folder on a Windows drive mounted by WSL', () => {
    const parse = () => parseStartOptions(['--home', '/mnt/c/lendtools'], () => true);

    expect(parse).toThrow("--home takes a folder in Linux's own file system");
  });

  it.each([
    [['--port', '99999'], /--port takes a number/],
    [['--port', 'eighty'], /--port takes a number/],
    [['--replicas', 'booking=2'], /--replicas takes accounts, .*not "booking"/],
    [['--replicas', 'bookings=0'], /--replicas bookings= takes a number from 1 to 8/],
    [['--replicas', 'bookings'], /--replicas bookings= takes a number/],
    [['--demo-only'], /Unknown option/],
  ])('are rejected with a message if they are %j', (args, message) => {
    expect(() => parseStartOptions(args)).toThrow(message);
  });
});
