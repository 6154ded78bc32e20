type Format<T> = (value: T) => string;

/** Creates the `Intl` formatter on first use, because that is slow, and reuses it. */
function lazyFormat<T>(make: () => { format: Format<T> }): Format<T> {
  let made: { format: Format<T> } | undefined;
  return (value) => {
    made ??= make();
    return made.format(value);
  };
}

export const dateFormat = (options: Intl.DateTimeFormatOptions): Format<Date | number> =>
  lazyFormat(() => new Intl.DateTimeFormat('en-US', options));

export const numberFormat = (options: Intl.NumberFormatOptions): Format<number> =>
  lazyFormat(() => new Intl.NumberFormat('en-US', options));
