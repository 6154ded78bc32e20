import { describe, expect, it, jest } from '@jest/globals';
import { radiusOptions } from '../features/browse/browse-filters.ts';
import { drawBookingCode } from '../features/cart/booking-code.ts';
import { locate } from '../lib/locate.ts';
import { timeOptions } from '../rental/time-options.ts';

describe('the app', () => {
  it('offers half-hour times from 7.00 AM to 6.30 PM, then 7.00 PM and 7.15 PM', () => {
    expect(timeOptions).toEqual([
      ...['7.00 AM', '7.30 AM', '8.00 AM', '8.30 AM', '9.00 AM', '9.30 AM', '10.00 AM'],
      ...['10.30 AM', '11.00 AM', '11.30 AM', '12.00 PM', '12.30 PM', '1.00 PM', '1.30 PM'],
      ...['2.00 PM', '2.30 PM', '3.00 PM', '3.30 PM', '4.00 PM', '4.30 PM', '5.00 PM'],
      ...['5.30 PM', '6.00 PM', '6.30 PM', '7.00 PM', '7.15 PM'],
    ]);
  });

  it('offers the radii 1, 5, 10, 15 and 20 miles', () => {
    expect(radiusOptions).toEqual([1, 5, 10, 15, 20]);
  });

  it('requests the user’s location with high accuracy and a timeout of 100000 ms', async () => {
    const getCurrentPosition = jest.fn((done: PositionCallback) =>
      done({ coords: { latitude: 45.5, longitude: -122.6 } } as GeolocationPosition),
    );
    Object.defineProperty(navigator, 'geolocation', {
      configurable: true,
      value: { getCurrentPosition },
    });

    await locate();

    expect(getCurrentPosition.mock.calls[0]).toEqual([
      expect.any(Function),
      expect.any(Function),
      { enableHighAccuracy: true, timeout: 100_000 },
    ]);
  });

  it('suggests booking codes from LT100000 to LT999999', () => {
    const codes = Array.from({ length: 2_000 }, drawBookingCode);

    expect(codes.filter((code) => !/^LT[1-9]\d{5}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBeGreaterThan(1_900);
  });
});
