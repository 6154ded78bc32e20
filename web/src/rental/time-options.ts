export const timeOptions: readonly string[] = [
  ...Array.from({ length: 24 }, (_, step) => {
    const hour = 7 + Math.floor(step / 2);
    return `${((hour + 11) % 12) + 1}.${step % 2 ? '30' : '00'} ${hour < 12 ? 'AM' : 'PM'}`;
  }),
  '7.00 PM',
  '7.15 PM',
];
